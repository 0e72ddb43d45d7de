// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/builder.hpp>

namespace tw::ir {
namespace {

using ::testing::ElementsAre;
using enum ElementKind;

class BuilderTest : public ::testing::Test {
 protected:
  Value argument(const Type& type) {
    function.body.arguments.push_back(function.fresh(type));
    return function.body.arguments.back();
  }
  std::string type_text(Value value) const { return to_string(function.type(value)); }
  const Op& last() { return builder.block().ops.back(); }
  std::vector<Opcode> codes() const {
    std::vector<Opcode> all;
    walk(function.body, [&](const Op& op) { all.push_back(op.code); });
    return all;
  }

  Function function;
  Builder builder{function};
};

TEST_F(BuilderTest, MakesConstants) {
  const Value three = builder.constant(f16, 0x4200, {4, 8});
  EXPECT_EQ(type_text(three), "tile<4x8xf16>");
  EXPECT_EQ(last().get<Constant>(AttributeName::value), splat(f16, 0x4200));

  const Value minus_two = builder.integer(i8, -2);
  EXPECT_EQ(type_text(minus_two), "tile<i8>");
  EXPECT_EQ(last().get<Constant>(AttributeName::value), splat(i8, 0xfe));
}

TEST_F(BuilderTest, StretchesAndReshapesOnlyWhenNeeded) {
  const Value row = argument(tile_type(f32, {1, 8}));
  EXPECT_EQ(type_text(builder.broadcast(row, {4, 8})), "tile<4x8xf32>");
  EXPECT_EQ(type_text(builder.reshape(row, {8})), "tile<8xf32>");
  EXPECT_EQ(builder.broadcast(row, {1, 8}), row);
  EXPECT_EQ(builder.reshape(row, {1, 8}), row);
  EXPECT_THAT(codes(), ElementsAre(Opcode::broadcast, Opcode::reshape));
}

TEST_F(BuilderTest, SpreadsScalars) {
  const Value pointer = argument(pointer_tile_type(f32));
  EXPECT_EQ(type_text(builder.spread(pointer, {4, 8})), "tile<4x8xptr<f32>>");
  EXPECT_THAT(codes(), ElementsAre(Opcode::reshape, Opcode::broadcast));
  EXPECT_EQ(builder.spread(pointer, {}), pointer);
  EXPECT_EQ(type_text(builder.spread(pointer, {1})), "tile<1xptr<f32>>");
}

TEST_F(BuilderTest, ComparesAndSelects) {
  const Value a = argument(tile_type(i32, {8}));
  const Value x = argument(tile_type(f32, {8}));
  const Value less = builder.compare_int(ComparisonPredicate::less_than, a, a, Signedness::signed_);
  EXPECT_EQ(type_text(less), "tile<8xi1>");
  EXPECT_EQ(last().as<ComparisonPredicate>(AttributeName::comparison_predicate),
            ComparisonPredicate::less_than);
  EXPECT_EQ(last().as<Signedness>(AttributeName::signedness), Signedness::signed_);
  const Value same =
      builder.compare_float(ComparisonPredicate::equal, x, x, ComparisonOrdering::ordered);
  EXPECT_EQ(type_text(same), "tile<8xi1>");
  EXPECT_EQ(type_text(builder.select(same, x, x)), "tile<8xf32>");
  EXPECT_THAT(last().operands, ElementsAre(same, x, x));
}

TEST_F(BuilderTest, RoundsFloatOps) {
  const Value x = argument(tile_type(f32, {8}));
  EXPECT_EQ(type_text(builder.float_op(Opcode::divf, x, x, RoundingMode::approx, true)),
            "tile<8xf32>");
  EXPECT_EQ(last().as<RoundingMode>(AttributeName::rounding), RoundingMode::approx);
  EXPECT_EQ(last().integer(AttributeName::flush_to_zero), 1);
}

TEST_F(BuilderTest, FillsFallbacks) {
  const Value x = argument(tile_type(i32));
  builder.simple(Opcode::addi, tile_type(i32), {x, x});
  EXPECT_EQ(last().as<Overflow>(AttributeName::overflow), Overflow::none);
  const Value y = argument(tile_type(f32));
  builder.simple(Opcode::exp, tile_type(f32), {y});
  EXPECT_EQ(last().as<RoundingMode>(AttributeName::rounding), RoundingMode::full);
  EXPECT_THROW(builder.simple(Opcode::maxi, tile_type(i32), {x, x}), BugError);
}

TEST_F(BuilderTest, AsksForBlocks) {
  const auto ids = builder.block_ids();
  const auto counts = builder.block_counts();
  EXPECT_THAT(codes(), ElementsAre(Opcode::get_tile_block_id, Opcode::get_num_tile_blocks));
  for (const Value each : {ids[0], ids[1], ids[2], counts[0], counts[1], counts[2]}) {
    EXPECT_EQ(type_text(each), "tile<i32>");
  }
}

TEST_F(BuilderTest, AccessesViews) {
  const Value base = argument(pointer_tile_type(f16));
  const Value extent = argument(tile_type(i32));
  const TensorViewType tensor{f16, {dynamic, 64}, {64, 1}};
  const Value whole = builder.tensor_view(base, tensor, std::array{extent}, {});
  EXPECT_EQ(type_text(whole), "tensor_view<?x64xf16, strides=[64,1]>");
  EXPECT_THAT(last().group_sizes, ElementsAre(1, 1, 0, 0, 0));

  const Value view = builder.view(Opcode::make_partition_view, whole,
                                  Type(PartitionViewType{{16, 8}, tensor, {0, 1}}));
  const Hints hints{{"default", {{"latency", std::int64_t{4}}}}};
  const Value tile = builder.load_view(view, std::array{extent, extent}, hints);
  EXPECT_EQ(type_text(tile), "tile<16x8xf16>");
  EXPECT_EQ(type_text(last().result(1)), "token");
  EXPECT_EQ(last().get<Hints>(AttributeName::optimization_hints), hints);
  EXPECT_EQ(last().find(AttributeName::memory_scope), nullptr);
  EXPECT_EQ(last().get<IntArray>(AttributeName::inbounds), (IntArray{0, 0}));
  EXPECT_FALSE(last().optional(2));

  builder.store_view(tile, view, std::array{extent, extent});
  EXPECT_EQ(type_text(last().result()), "token");
  EXPECT_THAT(last().group(2), ElementsAre(extent, extent));
  EXPECT_EQ(last().find(AttributeName::optimization_hints), nullptr);
}

TEST_F(BuilderTest, AccessesPointers) {
  const Value pointers = argument(pointer_tile_type(bf16, {8}));
  const Value mask = argument(tile_type(i1, {8}));
  const Value padding = argument(tile_type(bf16, {8}));
  const Value tile = builder.load_pointer(pointers, mask, padding);
  EXPECT_EQ(type_text(tile), "tile<8xbf16>");
  EXPECT_EQ(last().optional(1), mask);
  EXPECT_EQ(last().optional(2), padding);
  EXPECT_FALSE(last().optional(3));

  builder.store_pointer(pointers, tile, Value(), MemoryOrdering::relaxed, MemoryScope::device);
  EXPECT_THAT(last().group_sizes, ElementsAre(1, 1, 0, 0, 0));
  EXPECT_EQ(last().as<MemoryScope>(AttributeName::memory_scope), MemoryScope::device);
  builder.store_pointer(pointers, tile, mask, MemoryOrdering::weak, MemoryScope::device);
  EXPECT_EQ(last().find(AttributeName::memory_scope), nullptr);
}

TEST_F(BuilderTest, NestsBlocksAndKeepsLocations) {
  const auto place = static_cast<LocationId>(7);
  builder.at(place);
  Block body;
  builder.enter(body);
  EXPECT_EQ(builder.depth(), 2u);
  builder.integer(i32, 1);
  builder.leave();
  EXPECT_THROW(builder.leave(), BugError);
  ASSERT_EQ(body.ops.size(), 1u);
  EXPECT_EQ(body.ops[0].location, place);
  EXPECT_TRUE(function.body.ops.empty());
}

TEST_F(BuilderTest, GivesAnIfItsElse) {
  const Value condition = builder.integer(i1, 1);
  builder.append(OpDraft(Opcode::if_).operand(condition).region({}), {});
  EXPECT_EQ(last().regions.size(), 2u);
}

TEST_F(BuilderTest, RefusesWhatTheRowDoesNotHave) {
  const Value x = argument(tile_type(f32));
  const auto finish = [&](OpDraft draft, std::size_t results) {
    const std::vector<Type> types(results, tile_type(f32));
    return draft.finish(function, types);
  };
  EXPECT_THROW(finish(OpDraft(Opcode::negf), 1), BugError);
  EXPECT_THROW(finish(OpDraft(Opcode::negf).operand(Value()), 1), BugError);
  EXPECT_THROW(finish(OpDraft(Opcode::negf).group({x, x}), 1), BugError);
  EXPECT_THROW(finish(OpDraft(Opcode::negf).operand(x).operand(x), 1), BugError);
  EXPECT_THROW(finish(OpDraft(Opcode::negf).operand(x), 2), BugError);
  EXPECT_THROW(finish(OpDraft(Opcode::negf).operand(x).region({}), 1), BugError);
  EXPECT_THROW(finish(OpDraft(Opcode::loop), 1), BugError);
  EXPECT_THROW(OpDraft(Opcode::negf).set(AttributeName::dim, std::int64_t{0}), BugError);
}

TEST_F(BuilderTest, OpsRefuseAbsentAttributes) {
  builder.integer(i32, 1);
  EXPECT_THROW((void)last().get<IntArray>(AttributeName::value), BugError);
  EXPECT_THROW((void)last().get<Constant>(AttributeName::dim), BugError);
  EXPECT_EQ(last().integer(AttributeName::dim), 0);
}

}  // namespace
}  // namespace tw::ir
