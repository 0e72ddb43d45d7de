// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;
using ir::Padding;

ir::TensorViewType dense_tensor(ElementKind kind, const Shape& extents) {
  Shape strides = Shape::filled(extents.size(), 1);
  for (std::size_t k = extents.size(); k-- > 1;) strides[k - 1] = strides[k] * extents[k];
  return {kind, extents, strides};
}

std::vector<std::int32_t> counting(std::size_t count) {
  std::vector<std::int32_t> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

/// What a load of one tile through a view of `memory` gives.
std::vector<std::int32_t> loaded(const ir::Type& view, const std::vector<std::int32_t>& memory,
                                 const std::vector<std::int64_t>& index) {
  TestKernel k;
  const Value base = k.pointer(i32);
  const Value out = k.pointer(i32);
  const Value tensor = k.build().tensor_view(base, ir::viewed_tensor(view), {}, {});
  const Opcode make =
      view.is<ir::PartitionViewType>() ? Opcode::make_partition_view : Opcode::make_strided_view;
  std::vector<Value> indices;
  for (const std::int64_t i : index) indices.push_back(k.i32(i));
  k.store_all(k.load(k.build().view(make, tensor, view), indices), out);
  std::vector<std::int32_t> result(static_cast<std::size_t>(product(ir::view_tile(view))), -7);
  k.run({address(memory.data()), address(result.data())});
  return result;
}

TEST(PartitionView, LoadsTheTileAtItsIndex) {
  const ir::Type view(ir::PartitionViewType{{2, 2}, dense_tensor(i32, {4, 6}), {0, 1}});
  EXPECT_EQ(loaded(view, counting(24), {0, 0}), std::vector<std::int32_t>({0, 1, 6, 7}));
  EXPECT_EQ(loaded(view, counting(24), {1, 2}), std::vector<std::int32_t>({16, 17, 22, 23}));
}

TEST(PartitionView, CutsRaggedEdges) {
  const ir::Type view(ir::PartitionViewType{{2, 4}, dense_tensor(i32, {3, 5}), {0, 1}});
  EXPECT_EQ(loaded(view, counting(15), {1, 1}),
            std::vector<std::int32_t>({14, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(loaded(view, counting(15), {0, 1}),
            std::vector<std::int32_t>({4, 0, 0, 0, 9, 0, 0, 0}));
}

TEST(PartitionView, ReadsZeroOutsideTheIndexSpace) {
  const ir::Type view(ir::PartitionViewType{{2}, dense_tensor(i32, {3}), {0}});
  for (const std::int64_t outside : {2, 1000000, -1}) {
    EXPECT_EQ(loaded(view, counting(3), {outside}), std::vector<std::int32_t>({0, 0}));
  }
}

TEST(PartitionView, MapsTileAxesToTensorAxes) {
  // Tile axis 0 runs along tensor axis 1.
  const ir::Type view(ir::PartitionViewType{{4, 2}, dense_tensor(i32, {3, 8}), {1, 0}});
  EXPECT_EQ(loaded(view, counting(24), {1, 0}),
            std::vector<std::int32_t>({4, 12, 5, 13, 6, 14, 7, 15}));
  EXPECT_EQ(loaded(view, counting(24), {0, 1}),
            std::vector<std::int32_t>({16, 0, 17, 0, 18, 0, 19, 0}));
}

TEST(PartitionView, FollowsAnyStride) {
  const ir::Type repeated(ir::PartitionViewType{{2, 4}, {i32, {2, 4}, {0, 1}}, {0, 1}});
  EXPECT_EQ(loaded(repeated, counting(4), {0, 0}),
            std::vector<std::int32_t>({0, 1, 2, 3, 0, 1, 2, 3}));
  const ir::Type spaced(ir::PartitionViewType{{2, 2}, {i32, {2, 4}, {10, 2}}, {0, 1}});
  EXPECT_EQ(loaded(spaced, counting(20), {0, 1}), std::vector<std::int32_t>({4, 6, 14, 16}));
  const ir::Type one_element(ir::PartitionViewType{{4}, {i32, {4}, {0}}, {0}});
  EXPECT_EQ(loaded(one_element, counting(1), {0}), std::vector<std::int32_t>({0, 0, 0, 0}));
}

TEST(PartitionView, OfSixAxesCutsEachOfThem) {
  const Shape extents{2, 3, 2, 3, 2, 3};
  const ir::Type view(
      ir::PartitionViewType{{1, 2, 2, 2, 1, 4}, dense_tensor(i32, extents), {0, 1, 2, 3, 4, 5}});
  const std::vector<std::int32_t> tile = loaded(view, counting(216), {1, 1, 0, 1, 1, 0});
  std::size_t position = 0;
  for (int b = 2; b < 4; ++b) {
    for (int c = 0; c < 2; ++c) {
      for (int d = 2; d < 4; ++d) {
        for (int f = 0; f < 4; ++f, ++position) {
          const bool inside = b < 3 && d < 3 && f < 3;
          const int element = ((((1 * 3 + b) * 2 + c) * 3 + d) * 2 + 1) * 3 + f;
          EXPECT_EQ(tile[position], inside ? element : 0) << "position " << position;
        }
      }
    }
  }
}

TEST(StridedView, StartsTilesAtMultiplesOfItsSteps) {
  const ir::Type overlapping(ir::StridedViewType{{4}, {1}, dense_tensor(i32, {6}), {0}});
  EXPECT_EQ(loaded(overlapping, counting(6), {2}), std::vector<std::int32_t>({2, 3, 4, 5}));
  EXPECT_EQ(loaded(overlapping, counting(6), {5}), std::vector<std::int32_t>({5, 0, 0, 0}));
  EXPECT_EQ(loaded(overlapping, counting(6), {6}), std::vector<std::int32_t>({0, 0, 0, 0}));
  const ir::Type gaps(ir::StridedViewType{{2, 1}, {3, 5}, dense_tensor(i32, {6, 10}), {0, 1}});
  EXPECT_EQ(loaded(gaps, counting(60), {1, 1}), std::vector<std::int32_t>({35, 45}));
}

std::vector<std::uint64_t> padding_of(ElementKind kind, std::optional<Padding> padding) {
  TestKernel k;
  const Value base = k.pointer(kind);
  const Value out = k.pointer(kind);
  k.store_all(k.load(k.tiles(base, {1}, {1}, {2}, padding), {k.i32(0)}), out);
  const std::uint64_t memory = 0;
  std::uint64_t result[2] = {~0ull, ~0ull};
  k.run({address(&memory), address(result)});
  std::uint64_t second = 0;
  const std::size_t bytes = info(kind).storage_bytes();
  std::memcpy(&second, reinterpret_cast<const std::byte*>(result) + bytes, bytes);
  return {second};
}

TEST(Padding, OfEveryKind) {
  using Patterns = std::vector<std::uint64_t>;
  EXPECT_EQ(padding_of(i32, std::nullopt), Patterns({0}));
  EXPECT_EQ(padding_of(i32, Padding::zero), Patterns({0}));
  EXPECT_EQ(padding_of(f32, Padding::zero), Patterns({0}));
  EXPECT_EQ(padding_of(f32, Padding::neg_zero), Patterns({0x80000000}));
  EXPECT_EQ(padding_of(f32, Padding::pos_inf), Patterns({0x7f800000}));
  EXPECT_EQ(padding_of(f32, Padding::neg_inf), Patterns({0xff800000}));
  EXPECT_TRUE(std::isnan(as_float(padding_of(f32, Padding::nan)[0])));
  EXPECT_EQ(padding_of(f16, Padding::neg_inf), Patterns({0xfc00}));
  EXPECT_EQ(padding_of(bf16, Padding::pos_inf), Patterns({0x7f80}));
  EXPECT_EQ(padding_of(f64, Padding::neg_zero), Patterns({1ull << 63}));
  EXPECT_EQ(padding_of(tf32, Padding::neg_inf), Patterns({0xff800000}));
  EXPECT_EQ(padding_of(f8e5m2, Padding::pos_inf), Patterns({0x7c}));
  // Without infinity the format's NaN stands in.
  EXPECT_EQ(padding_of(f8e4m3, Padding::pos_inf), Patterns({0x7f}));
  EXPECT_EQ(padding_of(f8e4m3, Padding::nan)[0] & 0x7f, 0x7f);
}

TEST(StoreView, WritesOnlyInsideTheTensor) {
  TestKernel k;
  const Value base = k.pointer(i32);
  const Value tile = k.build().constant(i32, 5, {2, 4});
  const Value view = k.tiles(base, {3, 5}, {8, 1}, {2, 4}, std::nullopt);
  k.store(tile, view, {k.i32(1), k.i32(1)});
  k.store(tile, view, {k.i32(7), k.i32(0)});
  std::vector<std::int32_t> memory(32, 1);
  k.run({address(memory.data())});
  std::vector<std::int32_t> expected(32, 1);
  expected[2 * 8 + 4] = 5;
  EXPECT_EQ(memory, expected);
}

TEST(StoreView, TheLastStoreToAnElementWins) {
  // A stride of zero maps all rows to one; iterations store their number.
  TestKernel k;
  const Value base = k.pointer(i32);
  const Value view = k.tiles(base, {8, 1}, {0, 1}, {1, 1}, std::nullopt);
  for (std::int64_t i = 0; i < 8; ++i) {
    k.store(k.build().constant(i32, static_cast<std::uint64_t>(i), {1, 1}), view,
            {k.i32(i), k.i32(0)});
  }
  std::int32_t element = -1;
  k.run({address(&element)});
  EXPECT_EQ(element, 7);
}

class GatherScatter : public ::testing::Test {
 protected:
  /// A view of a 4x6 tensor in tiles of 4x2 whose axis `sparse` is given by coordinates.
  Value view(std::int32_t sparse, const Shape& tile) {
    const ir::TensorViewType tensor = dense_tensor(i32, {4, 6});
    return kernel.build().view(Opcode::make_gather_scatter_view,
                               kernel.build().tensor_view(base, tensor, {}, {}),
                               ir::Type(ir::GatherScatterViewType{tile, tensor, sparse, {}}));
  }
  Value coordinates(const std::vector<std::uint64_t>& values) {
    return kernel.build().append(
        OpDraft(Opcode::constant).set(AttributeName::value, ir::dense(i32, values)),
        {ir::tile_type(i32, {static_cast<std::int64_t>(values.size())})});
  }

  TestKernel kernel;
  Value base = kernel.pointer(i32);
  std::vector<std::int32_t> memory = counting(24);
  std::vector<std::int32_t> result = std::vector<std::int32_t>(8, -7);
};

TEST_F(GatherScatter, LoadsRowsByCoordinate) {
  const Value out = kernel.pointer(i32);
  // The last coordinates are outside, by one and as -1.
  const Value tile =
      kernel.load(view(0, {4, 2}), {coordinates({3, 0, 4, 0xffffffff}), kernel.i32(2)});
  kernel.store_all(tile, out);
  kernel.run({address(memory.data()), address(result.data())});
  EXPECT_EQ(result, std::vector<std::int32_t>({22, 23, 4, 5, 0, 0, 0, 0}));
}

TEST_F(GatherScatter, LoadsColumnsByCoordinate) {
  const Value out = kernel.pointer(i32);
  const Value tile = kernel.load(view(1, {2, 4}), {kernel.i32(1), coordinates({5, 5, 0, 9})});
  kernel.store_all(tile, out);
  kernel.run({address(memory.data()), address(result.data())});
  EXPECT_EQ(result, std::vector<std::int32_t>({17, 17, 12, 0, 23, 23, 18, 0}));
}

TEST_F(GatherScatter, StoresRowsByCoordinate) {
  kernel.store(kernel.build().constant(i32, 77, {2, 8}), view(0, {2, 8}),
               {coordinates({2, 4}), kernel.i32(0)});
  kernel.run({address(memory.data())});
  std::vector<std::int32_t> expected = counting(24);
  std::fill_n(expected.begin() + 12, 6, 77);
  EXPECT_EQ(memory, expected);
}

TEST(TensorView, TakesExtentsAndStridesFromOperands) {
  TestKernel k;
  const Value base = k.pointer(i32);
  const Value rows = k.scalar(i64);
  const Value stride = k.scalar(i64);
  const Value out = k.pointer(i32);
  const ir::TensorViewType tensor{i32, {ir::dynamic, 4}, {ir::dynamic, 1}};
  const Value view = k.build().tensor_view(base, tensor, std::vector{rows}, std::vector{stride});
  const Value tiles = k.build().view(Opcode::make_partition_view, view,
                                     ir::Type(ir::PartitionViewType{{2, 2}, tensor, {1, 0}}));
  OpDraft shape(Opcode::get_tensor_shape);
  shape.operand(view);
  const Value extent = k.build().append(shape, {ir::tile_type(i32), ir::tile_type(i32)});
  OpDraft space(Opcode::get_index_space_shape);
  space.operand(tiles);
  const std::vector<ir::Type> types(2, ir::tile_type(i32));
  const auto counts = k.build().append(space.finish(k.function(), types)).results;
  const Value sum = k.build().append(OpDraft(Opcode::cat)
                                         .operand(k.build().reshape(extent, {1}))
                                         .operand(k.build().reshape(counts[0], {1}))
                                         .set(AttributeName::dim, ir::Attribute(std::int64_t{0})),
                                     {ir::tile_type(i32, {2})});
  const Value all =
      k.build().append(OpDraft(Opcode::cat)
                           .operand(sum)
                           .operand(k.build().reshape(k.build().spread(counts[1], {2}), {2}))
                           .set(AttributeName::dim, ir::Attribute(std::int64_t{0})),
                       {ir::tile_type(i32, {4})});
  k.store_all(
      k.build().append(OpDraft(Opcode::cat)
                           .operand(all)
                           .operand(k.build().reshape(k.load(tiles, {k.i32(1), k.i32(1)}), {4}))
                           .set(AttributeName::dim, ir::Attribute(std::int64_t{0})),
                       {ir::tile_type(i32, {8})}),
      out);
  const std::vector<std::int32_t> memory = counting(100);
  std::vector<std::int32_t> result(8);
  k.run({address(memory.data()), 5, 10, address(result.data())});
  // 5 rows; the first tile axis runs along the 4 columns: 2 x 3 tiles; tile (1, 1) is rows 2, 3.
  EXPECT_EQ(result, std::vector<std::int32_t>({5, 2, 3, 3, 22, 32, 23, 33}));
}

TEST(Memory, OfTruthValuesIsAByteEach) {
  TestKernel k;
  const Value in = k.pointer(i1);
  const Value out = k.pointer(i1);
  k.store_all(k.load(k.tiles(in, {4}, {4}), {k.i32(0)}), out);
  const std::uint8_t memory[4] = {0, 1, 2, 255};
  std::uint8_t result[4] = {};
  k.run({address(memory), address(result)});
  EXPECT_EQ(std::vector<int>(result, result + 4), std::vector<int>({0, 1, 1, 1}));
}

TEST(Memory, OfFourBitFloatsPacksTwoInAByte) {
  TestKernel k;
  const Value in = k.pointer(f4e2m1);
  const Value out = k.pointer(f4e2m1);
  // Elements 2 to 5 of six, moved to the front; the last two of the tile are outside.
  const Value tile = k.load(k.tiles(in, {6}, {1}, {4}, std::nullopt), {k.i32(1)});
  k.store(tile, k.tiles(out, {4}, {1}, {4}, std::nullopt), {k.i32(0)});
  const std::uint8_t memory[3] = {0x21, 0x43, 0x65};
  std::uint8_t result[3] = {0xff, 0xff, 0xff};
  k.run({address(memory), address(result)});
  EXPECT_EQ(std::vector<int>(result, result + 3), std::vector<int>({0x65, 0x00, 0xff}));
}

}  // namespace
}  // namespace tw::interp_test
