// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/cse.hpp>

#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::Value;
using test::TracedKernel;

std::string merged(TracedKernel& kernel) { return ir::print(passes::cse(kernel.finish().module)); }

TEST(Cse, RegionsUseWhatIsComputedAroundThem) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.keep(k.binary(Opcode::addi, n, n), p);
  k.loop(n, n, n, [&](Value i) {
    k.keep(k.binary(Opcode::addi, n, n), p);
    k.keep(k.binary(Opcode::addi, n, i), p);
  });
  k.keep(k.binary(Opcode::addi, n, n), p);
  EXPECT_EQ(merged(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %0 = addi %arg1, %arg1 : tile<i32>
  %1 = store_ptr_tko weak %arg0, %0 : tile<ptr<i32>>, tile<i32> -> token
  for %loopIdx in (%arg1 to %arg1, step %arg1) : tile<i32> {
    %3 = store_ptr_tko weak %arg0, %0 : tile<ptr<i32>>, tile<i32> -> token
    %4 = addi %arg1, %loopIdx : tile<i32>
    %5 = store_ptr_tko weak %arg0, %4 : tile<ptr<i32>>, tile<i32> -> token
  }
  %2 = store_ptr_tko weak %arg0, %0 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Cse, BranchesDoNotShareWithEachOther) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  const auto side = [&] {
    k.keep(k.binary(Opcode::muli, n, n), p);
    return std::vector<Value>{};
  };
  k.branch(k.argument(ir::AbiKind::scalar, ElementKind::i1), side, side);
  k.keep(k.binary(Opcode::muli, n, n), p);
  EXPECT_EQ(merged(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>, %arg2: tile<i1>) {
  if %arg2 {
    %2 = muli %arg1, %arg1 : tile<i32>
    %3 = store_ptr_tko weak %arg0, %2 : tile<ptr<i32>>, tile<i32> -> token
  } else {
    %2 = muli %arg1, %arg1 : tile<i32>
    %3 = store_ptr_tko weak %arg0, %2 : tile<ptr<i32>>, tile<i32> -> token
  }
  %0 = muli %arg1, %arg1 : tile<i32>
  %1 = store_ptr_tko weak %arg0, %0 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Cse, OnlyLoadsOfWhatNobodyWritesMerge) {
  TracedKernel k;
  const Value in = k.base(ElementKind::i32);
  const Value out = k.base(ElementKind::i32);
  k.keep(k.load_pointer(in), out);
  k.keep(k.load_pointer(in), out);
  k.keep(k.load_pointer(out), out);
  k.keep(k.load_pointer(out), out);
  EXPECT_EQ(merged(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<i32>>) {
  %result, %result_token = load_ptr_tko weak %arg0 : tile<ptr<i32>> -> tile<i32>, token
  %0 = store_ptr_tko weak %arg1, %result : tile<ptr<i32>>, tile<i32> -> token
  %1 = store_ptr_tko weak %arg1, %result : tile<ptr<i32>>, tile<i32> -> token
  %result_0, %result_token_1 = load_ptr_tko weak %arg1 : tile<ptr<i32>> -> tile<i32>, token
  %2 = store_ptr_tko weak %arg1, %result_0 : tile<ptr<i32>>, tile<i32> -> token
  %result_2, %result_token_3 = load_ptr_tko weak %arg1 : tile<ptr<i32>> -> tile<i32>, token
  %3 = store_ptr_tko weak %arg1, %result_2 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Cse, TypesAndAttributesTellOpsApart) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.keep(k.binary(Opcode::divi, n, n), p);
  k.keep(k.ceil_div(n, n), p);
  k.store(k.build().constant(ElementKind::i32, 0, {4}), k.tiles(p, n, 4), k.constant(0));
  const ir::Module module = passes::cse(k.finish().module);
  std::size_t divisions = 0;
  std::size_t constants = 0;
  ir::walk(module.functions[0].body, [&](const ir::Op& op) {
    divisions += op.code == Opcode::divi;
    constants += op.code == Opcode::constant;
  });
  EXPECT_EQ(divisions, 2u);
  EXPECT_EQ(constants, 2u);
}

}  // namespace
