// SPDX-License-Identifier: Apache-2.0
#include "tests/verify/cases.hpp"

namespace tw::ir {
namespace {

using enum ElementKind;

/// A kernel that has one value of this type: a parameter, a constant's result, or a view.
Module holder(const Type& type) {
  Module module;
  Function function{.name = "k"};
  Builder builder(function);
  if (type.is<TileType>() && type.tile().holds_pointers()) {
    add_parameter(function, type);
  } else {
    make_value(builder, type);
  }
  builder.append(OpDraft(Opcode::return_), {});
  module.functions.push_back(std::move(function));
  return module;
}

/// The same, but the type is put there afterwards, as if a value of an i32 had it.
Module disguised(const Type& type) {
  Module module = holder(tile_type(i32));
  module.functions[0].types[0] = type;
  return module;
}

const TensorViewType tensor{i32, {dynamic, 64}, {dynamic, 1}};

Type cut(Shape tile, std::vector<std::int32_t> dim_map, std::optional<Padding> padding = {}) {
  return Type(PartitionViewType{std::move(tile), tensor, std::move(dim_map), padding});
}
Type steps(std::vector<std::int32_t> strides) {
  return Type(StridedViewType{{4, 2}, std::move(strides), tensor, {0, 1}});
}

}  // namespace

std::vector<VerifyCase> type_cases() {
  const Type square = tile_type(f32, {4, 4});
  const Type view = cut({16, 8}, {0, 1});
  const Type marked{TileType{PointerType{f32, PointerAttribute::none}, {}}};
  return {
      {"type_c1", holder(square), holder(tile_type(f32, {4, 3}))},
      {"type_c1", holder(square), holder(tile_type(f32, {0}))},
      {"type_c1", holder(view), holder(cut({16, 12}, {0, 1}))},
      {"type_c2", holder(tile_type(i8, {4096, 4096})), holder(tile_type(i8, {4096, 8192}))},
      {"type_c2", holder(square), holder(tile_type(i8, {1 << 30, 1 << 30, 1 << 30}))},
      {"type_c3", holder(tile_type(f4e2m1, {1, 2})), holder(tile_type(f4e2m1, {1, 1}))},
      {"type_c4", holder(pointer_tile_type(i8)), holder(pointer_tile_type(i4))},
      {"type_c4", holder(Type(tensor)), disguised(Type(TensorViewType{i4, {2}, {1}}))},
      {"type_c5", holder(Type(tensor)), disguised(Type(TensorViewType{i32, {2, 2}, {1}}))},
      {"type_c6", holder(Type(tensor)), holder(Type(TensorViewType{i32, {0}, {1}}))},
      {"type_c6", holder(Type(tensor)), holder(Type(TensorViewType{i32, {4}, {-1}}))},
      {"type_c7", holder(view), holder(cut({16}, {0}))},
      {"type_c7", holder(view),
       disguised(Type(PartitionViewType{{}, TensorViewType{i32, {}, {}}, {}}))},
      {"type_c8", holder(cut({16, 8}, {1, 0})), holder(cut({16, 8}, {0, 0}))},
      {"type_c8", holder(view), holder(cut({16, 8}, {0}))},
      {"type_c8", holder(steps({1, 1})),
       holder(Type(StridedViewType{{4, 2}, {1, 1}, tensor, {2, 0}}))},
      {"type_c9", holder(steps({4, 3})), holder(steps({4, 0}))},
      {"type_c9", holder(steps({4, 3})), holder(steps({4}))},
      {"type_c10", holder(Type(GatherScatterViewType{{16, 8}, tensor, 1})),
       holder(Type(GatherScatterViewType{{16, 8}, tensor, 2}))},
      {"type_c11", holder(cut({16, 8}, {0, 1}, Padding::zero)),
       holder(cut({16, 8}, {0, 1}, Padding::nan))},
      {"type_c12", holder(square), disguised(Type(i32))},
      {"type_c12", holder(square), disguised(Type(PointerType{i32}))},
      {"type_c12", holder(square), disguised(Type(FunctionType{}))},
      {"type_c13", holder(steps({1, 1})), disguised(steps({1, 1})), {.tool = {13, 2}}},
      {"type_c13", holder(marked), holder(marked), {.tool = {13, 3}}},
      {"type_c13", holder(tile_type(f8e5m3)), holder(tile_type(f8e5m3)), {.tool = {13, 3}}},
      {"type_c13", holder(tile_type(f8e8m0)), holder(tile_type(f8e8m0)), {.tool = {13, 1}}},
      {"type_c14", holder(tile_type(f8e4m3)), holder(tile_type(f8e4m3)), {.architecture = 86}},
      {"type_c14",
       holder(tile_type(f8e4m3)),
       holder(tile_type(f8e4m3)),
       {.tool = {13, 4}, .architecture = 89}},
      {"type_c14", holder(tile_type(f8e8m0)), holder(tile_type(f8e8m0)), {.architecture = 90}},
      {"type_c14", holder(tile_type(f8e5m3)), holder(tile_type(f8e5m3)), {.architecture = 120}},
      {"type_c15", holder(pointer_tile_type(f4e2m1)), disguised(pointer_tile_type(f4e2m1, {8}))},
  };
}

}  // namespace tw::ir
