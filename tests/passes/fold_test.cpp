// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/canonical.hpp>
#include <tilewright/passes/dce.hpp>
#include <tilewright/passes/fold.hpp>

#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::Value;
using test::TracedKernel;

/// In canonical form, for the tests themselves are evaluated in some order.
std::string folded(TracedKernel& kernel) {
  return ir::print(passes::canonical(passes::dce(passes::fold(kernel.finish().module))));
}

/// The stored value of a kernel that computes one from constants, after folding.
std::string stored_constant(TracedKernel& k, Value value) {
  k.keep(value, k.base(k.build().type(value).tile().kind()));
  const ir::Module module = passes::dce(passes::fold(k.finish().module));
  const ir::Op& first = module.functions[0].body.ops[0];
  if (first.code != Opcode::constant) return "not folded";
  const ElementKind kind = module.functions[0].type(first.result()).tile().kind();
  const auto bits = ir::element_bits(first.get<ir::Constant>(ir::AttributeName::value), kind, 0);
  return std::to_string(bits);
}

TEST(Fold, ArithmeticWrapsInItsWidth) {
  TracedKernel k;
  const Value most = k.build().integer(ElementKind::i8, 127);
  EXPECT_EQ(stored_constant(k, k.binary(Opcode::addi, most, k.build().integer(ElementKind::i8, 2))),
            "129");
}

TEST(Fold, DivisionByZeroAndOverflowStay) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  k.keep(k.binary(Opcode::divi, k.constant(-2147483648), k.constant(-1)), p);
  k.keep(k.binary(Opcode::remi, k.constant(5), k.constant(0)), p);
  EXPECT_EQ(folded(k), R"(entry @k(%arg0: tile<ptr<i32>>) {
  %cst_-2147483648_i32 = constant <i32: -2147483648> : tile<i32>
  %cst_-1_i32 = constant <i32: -1> : tile<i32>
  %0 = divi %cst_-2147483648_i32, %cst_-1_i32 signed : tile<i32>
  %1 = store_ptr_tko weak %arg0, %0 : tile<ptr<i32>>, tile<i32> -> token
  %cst_5_i32 = constant <i32: 5> : tile<i32>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %2 = remi %cst_5_i32, %cst_0_i32 signed : tile<i32>
  %3 = store_ptr_tko weak %arg0, %2 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Fold, UpperHalvesOfProducts) {
  TracedKernel k;
  const Value a = k.build().integer(ElementKind::i64, -1);
  const Value b = k.build().integer(ElementKind::i64, 0x123456789abcdef0);
  // (2^64 - 1) * b = b * 2^64 - b, whose upper half is b - 1.
  EXPECT_EQ(
      stored_constant(k, k.build().simple(Opcode::mulhii, ir::tile_type(ElementKind::i64), {a, b})),
      std::to_string(0x123456789abcdeef));
}

TEST(Fold, IdentitiesGiveTheOperand) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  const Value zero = k.constant(0);
  const Value one = k.constant(1);
  k.keep(k.binary(Opcode::addi, zero, n), p);
  k.keep(k.binary(Opcode::muli, n, one), p);
  k.keep(k.binary(Opcode::subi, n, n), p);
  k.keep(k.binary(Opcode::mini, n, n), p);
  k.keep(k.binary(Opcode::muli, zero, n), p);
  k.keep(k.binary(Opcode::andi, n, k.constant(-1)), p);
  EXPECT_EQ(folded(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %0 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
  %1 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %2 = store_ptr_tko weak %arg0, %cst_0_i32 : tile<ptr<i32>>, tile<i32> -> token
  %3 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
  %cst_0_i32_0 = constant <i32: 0> : tile<i32>
  %4 = store_ptr_tko weak %arg0, %cst_0_i32_0 : tile<ptr<i32>>, tile<i32> -> token
  %5 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Fold, ConstantConditionsLeaveOneBranch) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  const auto results = k.branch(
      k.build().constant(ElementKind::i1, 1),
      [&] {
        k.keep(n, p);
        return std::vector{k.binary(Opcode::addi, n, n)};
      },
      [&] {
        k.keep(k.constant(9), p);
        return std::vector{n};
      });
  k.keep(results[0], p);
  EXPECT_EQ(folded(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %0 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
  %1 = addi %arg1, %arg1 : tile<i32>
  %2 = store_ptr_tko weak %arg0, %1 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Fold, NothingFollowsABranchThatIsTakenAndLeaves) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  k.loop(k.constant(0), k.extent(), k.constant(1), [&](Value i) {
    ir::Block leaves;
    k.build().enter(leaves);
    k.end(Opcode::continue_);
    k.build().leave();
    ir::OpDraft draft(Opcode::if_);
    draft.operand(k.build().constant(ElementKind::i1, 1)).region(std::move(leaves));
    k.build().append(draft, {});
    k.keep(i, p);
  });
  EXPECT_EQ(folded(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  return
}
)");
}

TEST(Fold, LoopsThatNeverRunGiveTheirInitialValues) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  const auto results =
      k.carrying(k.constant(3), k.constant(3), k.constant(1), {n},
                 [&](Value i, const std::vector<Value>&) { return std::vector{i}; });
  k.keep(results[0], p);
  EXPECT_EQ(folded(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %0 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Fold, UnchangedCarriedValuesAreTheInitialOnes) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  const auto results =
      k.carrying(k.constant(0), n, k.constant(1), {n, k.constant(7)},
                 [&](Value, const std::vector<Value>& carried) {
                   return std::vector{carried[0], k.binary(Opcode::addi, carried[1], carried[0])};
                 });
  k.keep(results[1], p);
  EXPECT_EQ(folded(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_1_i32 = constant <i32: 1> : tile<i32>
  %cst_7_i32 = constant <i32: 7> : tile<i32>
  %for = for %loopIdx in (%cst_0_i32 to %arg1, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %cst_7_i32) -> (tile<i32>) {
    %1 = addi %iterArg0, %arg1 : tile<i32>
    continue %1 : tile<i32>
  }
  %0 = store_ptr_tko weak %arg0, %for : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Fold, ReshapesAndBroadcastsOfConstantsAreConstants) {
  TracedKernel k;
  const Value tile = k.build().spread(k.constant(4), {2, 2});
  k.store(k.build().reshape(tile, {4}), k.tiles(k.base(ElementKind::i32), k.extent(), 4),
          k.constant(0));
  const ir::Module module = passes::dce(passes::fold(k.finish().module));
  std::size_t moves = 0;
  ir::walk(module.functions[0].body, [&](const ir::Op& op) {
    moves += op.code == Opcode::reshape || op.code == Opcode::broadcast;
  });
  EXPECT_EQ(moves, 0u);
}

TEST(Fold, NarrowingUndoesWidening) {
  TracedKernel k;
  ir::OpDraft widen(Opcode::exti);
  widen.operand(k.extent()).set(ir::AttributeName::signedness, ir::Signedness::signed_);
  const Value wide = k.build().append(widen, {ir::tile_type(ElementKind::i64)});
  k.keep(k.build().simple(Opcode::trunci, ir::tile_type(ElementKind::i32), {wide}),
         k.base(ElementKind::i32));
  EXPECT_EQ(folded(k), R"(entry @k(%arg0: tile<i32>, %arg1: tile<ptr<i32>>) {
  %0 = store_ptr_tko weak %arg1, %arg0 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Fold, AllOfATrueTileIsTrue) {
  TracedKernel k;
  ir::Block body;
  const Value all = k.build().constant(ElementKind::i1, 1, {8});
  ir::Function& function = k.build().function();
  for (int i = 0; i < 2; ++i)
    body.arguments.push_back(function.fresh(ir::tile_type(ElementKind::i1)));
  k.build().enter(body);
  k.end(Opcode::yield, {k.binary(Opcode::andi, body.arguments[0], body.arguments[1])});
  k.build().leave();
  ir::OpDraft reduce(Opcode::reduce);
  reduce.group({all}).region(std::move(body));
  reduce.set(ir::AttributeName::dim, ir::Attribute(std::int64_t{0}));
  reduce.set(ir::AttributeName::identities, ir::Attribute(ir::ScalarArray{{ElementKind::i1, 1}}));
  EXPECT_EQ(stored_constant(k, k.build().append(reduce, {ir::tile_type(ElementKind::i1)})), "1");
}

TEST(Fold, IntegersBecomeFloatsRoundedOnce) {
  TracedKernel k;
  ir::OpDraft convert(Opcode::itof);
  convert.operand(k.constant(16777217));  // 2^24 + 1 lies between two f32
  convert.set(ir::AttributeName::signedness, ir::Signedness::signed_);
  const Value number = k.build().append(convert, {ir::tile_type(ElementKind::f32)});
  EXPECT_EQ(stored_constant(k, number), std::to_string(std::bit_cast<std::uint32_t>(16777216.0f)));
}

/// The bits of a op b in f32, folded, or "not folded".
std::string float_constant(Opcode code, float a, float b, ir::RoundingMode rounding,
                           bool flush_to_zero = false) {
  TracedKernel k;
  const Value x = k.build().constant(ElementKind::f32, std::bit_cast<std::uint32_t>(a));
  const Value y = k.build().constant(ElementKind::f32, std::bit_cast<std::uint32_t>(b));
  const Value result = k.build().float_op(code, x, y, rounding, flush_to_zero);
  k.keep(result, k.base());
  const ir::Module module = passes::dce(passes::fold(k.finish().module));
  const ir::Block& body = module.functions[0].body;
  if (body.ops.size() != 3) return "not folded";
  const auto& value = body.ops[0].get<ir::Constant>(ir::AttributeName::value);
  return std::to_string(ir::element_bits(value, ElementKind::f32, 0));
}

TEST(Fold, FloatArithmeticIsRoundedAsTheOpSays) {
  // 1 + 2^-24 lies half way between 1 and the next f32, whose bits are one more.
  const float half_step = 0x1p-24f;
  const std::uint32_t one = std::bit_cast<std::uint32_t>(1.0f);
  using enum ir::RoundingMode;
  EXPECT_EQ(float_constant(Opcode::addf, 1, half_step, nearest_even), std::to_string(one));
  EXPECT_EQ(float_constant(Opcode::addf, 1, half_step, positive_inf), std::to_string(one + 1));
  EXPECT_EQ(float_constant(Opcode::divf, 1, 3, zero),
            std::to_string(std::bit_cast<std::uint32_t>(0x1.555554p-2f)));
}

TEST(Fold, WhatDevicesMayComputeDifferentlyStays) {
  using enum ir::RoundingMode;
  EXPECT_EQ(float_constant(Opcode::divf, 1, 3, approx), "not folded");
  EXPECT_EQ(float_constant(Opcode::divf, 0, 0, nearest_even), "not folded");
  EXPECT_EQ(float_constant(Opcode::mulf, 0x1p-100f, 0x1p-40f, nearest_even, true), "not folded");
  EXPECT_EQ(float_constant(Opcode::mulf, 0x1p-100f, 0x1p-40f, nearest_even),
            std::to_string(std::bit_cast<std::uint32_t>(0x1p-140f)));
}

}  // namespace
