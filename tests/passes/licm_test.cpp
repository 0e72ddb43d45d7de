// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/licm.hpp>

#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::Value;
using test::TracedKernel;

std::string hoisted(TracedKernel& kernel) {
  return ir::print(passes::licm(kernel.finish().module));
}

TEST(Licm, WhatIsTheSameLeavesAllLoops) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.loop(n, n, n, [&](Value i) {
    k.loop(n, n, n, [&](Value j) {
      const Value square = k.binary(Opcode::muli, n, n);
      const Value outer = k.binary(Opcode::addi, square, i);
      k.keep(k.binary(Opcode::addi, outer, j), p);
    });
  });
  EXPECT_EQ(hoisted(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %0 = muli %arg1, %arg1 : tile<i32>
  for %loopIdx in (%arg1 to %arg1, step %arg1) : tile<i32> {
    %1 = addi %0, %loopIdx : tile<i32>
    for %loopIdx_0 in (%arg1 to %arg1, step %arg1) : tile<i32> {
      %2 = addi %1, %loopIdx_0 : tile<i32>
      %3 = store_ptr_tko weak %arg0, %2 : tile<ptr<i32>>, tile<i32> -> token
    }
  }
  return
}
)");
}

TEST(Licm, LoadsMoveOnlyFromWhatNobodyWrites) {
  TracedKernel k;
  const Value in = k.base(ElementKind::i32);
  const Value out = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.loop(n, n, n, [&](Value) {
    k.keep(k.load_pointer(in), out);
    k.keep(k.load_pointer(out), out);
  });
  EXPECT_EQ(hoisted(k),
            R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<i32>>, %arg2: tile<i32>) {
  %result, %result_token = load_ptr_tko weak %arg0 : tile<ptr<i32>> -> tile<i32>, token
  for %loopIdx in (%arg2 to %arg2, step %arg2) : tile<i32> {
    %0 = store_ptr_tko weak %arg1, %result : tile<ptr<i32>>, tile<i32> -> token
    %result_0, %result_token_1 = load_ptr_tko weak %arg1 : tile<ptr<i32>> -> tile<i32>, token
    %1 = store_ptr_tko weak %arg1, %result_0 : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}
)");
}

TEST(Licm, WhatMayBeUndefinedOrIsGuardedStays) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  const Value three = k.constant(3);
  k.loop(n, n, n, [&](Value) {
    k.keep(k.binary(Opcode::divi, n, n), p);
    k.keep(k.binary(Opcode::divi, n, three), p);
    k.branch(k.build().constant(ElementKind::i1, 0), [&] {
      k.keep(k.binary(Opcode::muli, n, n), p);
      return std::vector<Value>{};
    });
  });
  EXPECT_EQ(hoisted(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %cst_3_i32 = constant <i32: 3> : tile<i32>
  %0 = divi %arg1, %cst_3_i32 signed : tile<i32>
  %false = constant <i1: false> : tile<i1>
  for %loopIdx in (%arg1 to %arg1, step %arg1) : tile<i32> {
    %1 = divi %arg1, %arg1 signed : tile<i32>
    %2 = store_ptr_tko weak %arg0, %1 : tile<ptr<i32>>, tile<i32> -> token
    %3 = store_ptr_tko weak %arg0, %0 : tile<ptr<i32>>, tile<i32> -> token
    if %false {
      %4 = muli %arg1, %arg1 : tile<i32>
      %5 = store_ptr_tko weak %arg0, %4 : tile<ptr<i32>>, tile<i32> -> token
    }
  }
  return
}
)");
}

}  // namespace
