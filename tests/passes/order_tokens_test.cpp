// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/order_tokens.hpp>

#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::Value;
using test::TracedKernel;

std::string ordered(TracedKernel& kernel) {
  return ir::print(passes::order_tokens(kernel.finish().module));
}

TEST(OrderTokens, LoadsFollowTheStoreAndTheNextStoreFollowsThem) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value q = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.keep(n, p);
  const Value a = k.load_pointer(p);
  const Value b = k.load_pointer(p);
  k.load_pointer(q);
  k.keep(k.binary(Opcode::addi, a, b), p);
  EXPECT_EQ(ordered(k),
            R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<i32>>, %arg2: tile<i32>) {
  %0 = store_ptr_tko weak %arg0, %arg2 : tile<ptr<i32>>, tile<i32> -> token
  %result, %result_token = load_ptr_tko weak %arg0 token=%0 : tile<ptr<i32>> -> tile<i32>, token
  %result_0, %result_token_1 = load_ptr_tko weak %arg0 token=%0 : tile<ptr<i32>> -> tile<i32>, token
  %result_2, %result_token_3 = load_ptr_tko weak %arg1 : tile<ptr<i32>> -> tile<i32>, token
  %1 = addi %result, %result_0 : tile<i32>
  %2 = join_tokens %result_token, %result_token_1 : token
  %3 = store_ptr_tko weak %arg0, %1 token=%2 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(OrderTokens, ParametersAreOrderedApart) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value q = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.keep(n, p);
  k.keep(n, q);
  k.keep(n, p);
  EXPECT_EQ(ordered(k),
            R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<i32>>, %arg2: tile<i32>) {
  %0 = store_ptr_tko weak %arg0, %arg2 : tile<ptr<i32>>, tile<i32> -> token
  %1 = store_ptr_tko weak %arg1, %arg2 : tile<ptr<i32>>, tile<i32> -> token
  %2 = store_ptr_tko weak %arg0, %arg2 token=%0 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(OrderTokens, LoopsCarryTheLastWrite) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.loop(n, n, n, [&](Value i) { k.keep(k.binary(Opcode::addi, k.load_pointer(p), i), p); });
  k.load_pointer(p);
  EXPECT_EQ(ordered(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %0 = make_token : token
  %for = for %loopIdx in (%arg1 to %arg1, step %arg1) : tile<i32> iter_values(%iterArg0 = %0) -> (token) {
    %result_0, %result_token_1 = load_ptr_tko weak %arg0 token=%iterArg0 : tile<ptr<i32>> -> tile<i32>, token
    %1 = addi %result_0, %loopIdx : tile<i32>
    %2 = store_ptr_tko weak %arg0, %1 token=%result_token_1 : tile<ptr<i32>>, tile<i32> -> token
    continue %2 : token
  }
  %result, %result_token = load_ptr_tko weak %arg0 token=%for : tile<ptr<i32>> -> tile<i32>, token
  return
}
)");
}

TEST(OrderTokens, LoopsThatOnlyReadLeaveTheirReadsBehind) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.keep(n, p);
  k.loop(n, n, n, [&](Value) { k.load_pointer(p); });
  k.keep(n, p);
  EXPECT_EQ(ordered(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %0 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
  %for = for %loopIdx in (%arg1 to %arg1, step %arg1) : tile<i32> iter_values(%iterArg0 = %0) -> (token) {
    %result, %result_token = load_ptr_tko weak %arg0 token=%0 : tile<ptr<i32>> -> tile<i32>, token
    %2 = join_tokens %iterArg0, %result_token : token
    continue %2 : token
  }
  %1 = store_ptr_tko weak %arg0, %arg1 token=%for : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(OrderTokens, BranchesYieldWhatTheyDid) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.keep(n, p);
  k.branch(k.argument(ir::AbiKind::scalar, ElementKind::i1), [&] {
    k.keep(n, p);
    return std::vector<Value>{};
  });
  k.keep(n, p);
  EXPECT_EQ(ordered(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>, %arg2: tile<i1>) {
  %0 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
  %1 = if %arg2 -> (token) {
    %3 = store_ptr_tko weak %arg0, %arg1 token=%0 : tile<ptr<i32>>, tile<i32> -> token
    yield %3 : token
  } else {
    yield %0 : token
  }
  %2 = store_ptr_tko weak %arg0, %arg1 token=%1 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(OrderTokens, ReleaseFollowsEverythingBeforeIt) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value flag = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.keep(n, p);
  k.build().store_pointer(flag, n, {}, ir::MemoryOrdering::release, ir::MemoryScope::device);
  EXPECT_EQ(ordered(k),
            R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<i32>>, %arg2: tile<i32>) {
  %0 = store_ptr_tko weak %arg0, %arg2 : tile<ptr<i32>>, tile<i32> -> token
  %1 = store_ptr_tko release device %arg1, %arg2 token=%0 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(OrderTokens, KernelsThatOnlyReadTheirInputsStayAsTheyAre) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  k.keep(k.load_pointer(p), k.base(ElementKind::i32));
  const ir::Kernel kernel = k.finish();
  EXPECT_EQ(ir::print(passes::order_tokens(kernel.module)), ir::print(kernel.module));
}

}  // namespace
