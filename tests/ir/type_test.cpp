// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/type.hpp>

namespace tw::ir {
namespace {

using enum ElementKind;

const TensorViewType matrix{f16, {dynamic, 64}, {dynamic, 1}};

TEST(Type, PrintsAsTheToolsDo) {
  TensorViewType marked = matrix;
  marked.attribute = PointerAttribute::none;
  const std::pair<Type, std::string> cases[] = {
      {Type(f8e8m0), "f8E8M0FNU"},
      {Type(PointerType{f32}), "ptr<f32>"},
      {Type(PointerType{f32, PointerAttribute::none}), "ptr<f32, <none>>"},
      {tile_type(f32, {4, 8}), "tile<4x8xf32>"},
      {tile_type(f8e5m3), "tile<fnv8E5M3FNU>"},
      {pointer_tile_type(f32, {4}), "tile<4xptr<f32>>"},
      {pointer_tile_type(i64), "tile<ptr<i64>>"},
      {Type(matrix), "tensor_view<?x64xf16, strides=[?,1]>"},
      {Type(marked), "tensor_view<?x64xf16, strides=[?,1], #cuda_tile.ptr_attr<none>>"},
      {Type(TensorViewType{f32, {}, {}}), "tensor_view<f32>"},
      {Type(PartitionViewType{{16, 8}, matrix, {0, 1}}),
       "partition_view<tile=(16x8), tensor_view<?x64xf16, strides=[?,1]>>"},
      {Type(PartitionViewType{{16, 8}, matrix, {1, 0}, Padding::zero}),
       "partition_view<tile=(16x8), padding_value = zero, tensor_view<?x64xf16, strides=[?,1]>, "
       "dim_map=[1, 0]>"},
      {Type(StridedViewType{{4, 2}, {4, 3}, matrix, {1, 0}, Padding::nan}),
       "strided_view<tile=(4x2), traversal_strides=[4,3], padding_value = nan, "
       "tensor_view<?x64xf16, strides=[?,1]>, dim_map=[1, 0]>"},
      {Type(GatherScatterViewType{{8, 16}, matrix, 0, Padding::zero}),
       "gather_scatter_view<tile=(8x16), padding_value = zero, "
       "tensor_view<?x64xf16, strides=[?,1]>, sparse_dim=0>"},
      {token_type(), "token"},
      {Type(FunctionType{{tile_type(f32), token_type()}, {tile_type(i1)}}),
       "(tile<f32>, token) -> (tile<i1>)"},
      {Type(), "no type"},
  };
  for (const auto& [type, text] : cases) EXPECT_EQ(to_string(type), text);
}

TEST(Type, ComparesByStructure) {
  EXPECT_EQ(tile_type(f32, {4, 8}), tile_type(f32, {4, 8}));
  EXPECT_NE(tile_type(f32, {4, 8}), tile_type(f32, {8, 4}));
  EXPECT_NE(tile_type(f32), pointer_tile_type(f32));
  EXPECT_NE(tile_type(f32), Type());
  EXPECT_EQ(Type(FunctionType{{tile_type(f32)}, {}}), Type(FunctionType{{tile_type(f32)}, {}}));
  EXPECT_NE(Type(PartitionViewType{{16, 8}, matrix, {0, 1}}),
            Type(PartitionViewType{{16, 8}, matrix, {0, 1}, Padding::zero}));
}

TEST(Type, ReadsViewsOfAllKinds) {
  const Type views[] = {Type(PartitionViewType{{16, 8}, matrix, {0, 1}, Padding::nan}),
                        Type(StridedViewType{{16, 8}, {1, 1}, matrix, {0, 1}, Padding::nan}),
                        Type(GatherScatterViewType{{16, 8}, matrix, 1, Padding::nan})};
  for (const Type& view : views) {
    EXPECT_TRUE(view.is_view());
    EXPECT_EQ(viewed_tensor(view), matrix);
    EXPECT_EQ(view_tile(view), (Shape{16, 8}));
    EXPECT_EQ(view_padding(view), Padding::nan);
    EXPECT_EQ(loaded_type(view), tile_type(f16, {16, 8}));
  }
  EXPECT_FALSE(Type(matrix).is_view());
  EXPECT_THROW(loaded_type(Type(matrix)), BugError);
  EXPECT_THROW((void)token_type().tile(), BugError);
}

}  // namespace
}  // namespace tw::ir
