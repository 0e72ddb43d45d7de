// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/fuse_multiply_add.hpp>

#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::RoundingMode;
using ir::Value;
using test::TracedKernel;

std::string fused(TracedKernel& kernel) {
  return ir::print(passes::fuse_multiply_add(kernel.finish().module));
}

TEST(FuseMultiplyAdd, ASumTakesInItsFirstProduct) {
  TracedKernel k;
  const Value p = k.base();
  const Value x = k.argument(ir::AbiKind::scalar, ElementKind::f32);
  const Value y = k.argument(ir::AbiKind::scalar, ElementKind::f32);
  const auto op = [&](Opcode code, Value a, Value b) {
    return k.build().float_op(code, a, b, RoundingMode::nearest_even, false);
  };
  const Value left = op(Opcode::mulf, x, y);
  const Value right = op(Opcode::mulf, y, y);
  k.keep(op(Opcode::addf, left, right), p);
  EXPECT_EQ(fused(k), R"(entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<f32>, %arg2: tile<f32>) {
  %0 = mulf %arg2, %arg2  : tile<f32>
  %1 = fma %arg1, %arg2, %0  : tile<f32>
  %2 = store_ptr_tko weak %arg0, %1 : tile<ptr<f32>>, tile<f32> -> token
  return
}
)");
}

TEST(FuseMultiplyAdd, SharedProductsAndOtherRoundingsStay) {
  TracedKernel k;
  const Value p = k.base();
  const Value x = k.argument(ir::AbiKind::scalar, ElementKind::f32);
  const Value shared = k.build().float_op(Opcode::mulf, x, x, RoundingMode::nearest_even, false);
  const Value down = k.build().float_op(Opcode::mulf, shared, x, RoundingMode::negative_inf, false);
  k.keep(k.build().float_op(Opcode::addf, shared, x, RoundingMode::nearest_even, false), p);
  k.keep(k.build().float_op(Opcode::addf, down, x, RoundingMode::nearest_even, false), p);
  EXPECT_EQ(fused(k), R"(entry @k(%arg0: tile<ptr<f32>>, %arg1: tile<f32>) {
  %0 = mulf %arg1, %arg1  : tile<f32>
  %1 = mulf %0, %arg1 rounding<negative_inf> : tile<f32>
  %2 = addf %0, %arg1  : tile<f32>
  %3 = store_ptr_tko weak %arg0, %2 : tile<ptr<f32>>, tile<f32> -> token
  %4 = addf %1, %arg1  : tile<f32>
  %5 = store_ptr_tko weak %arg0, %4 : tile<ptr<f32>>, tile<f32> -> token
  return
}
)");
}

}  // namespace
