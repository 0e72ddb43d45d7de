// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/dce.hpp>

#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::Value;
using test::TracedKernel;

std::string swept(TracedKernel& kernel) { return ir::print(passes::dce(kernel.finish().module)); }

TEST(Dce, UnusedLoadsLoopsAndBranchesVanish) {
  TracedKernel k;
  const Value in = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.load_pointer(in);
  k.loop(n, n, n, [&](Value i) { k.binary(Opcode::addi, i, k.load_pointer(in)); });
  k.branch(
      k.argument(ir::AbiKind::scalar, ElementKind::i1),
      [&] { return std::vector{k.load_pointer(in)}; }, [&] { return std::vector{n}; });
  EXPECT_EQ(swept(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>, %arg2: tile<i1>) {
  return
}
)");
}

TEST(Dce, CarriedValuesThatOnlyFeedThemselvesVanish) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  const auto results =
      k.carrying(n, n, n, {n, n, n}, [&](Value i, const std::vector<Value>& carried) {
        return std::vector{k.binary(Opcode::addi, carried[0], i),
                           k.binary(Opcode::muli, carried[1], carried[2]), carried[2]};
      });
  k.keep(results[1], p);
  EXPECT_EQ(swept(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %for:2 = for %loopIdx in (%arg1 to %arg1, step %arg1) : tile<i32> iter_values(%iterArg0 = %arg1, %iterArg1 = %arg1) -> (tile<i32>, tile<i32>) {
    %1 = muli %iterArg0, %iterArg1 : tile<i32>
    continue %1, %iterArg1 : tile<i32>, tile<i32>
  }
  %0 = store_ptr_tko weak %arg0, %for#0 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Dce, BranchesKeepTheResultsThatAreRead) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  const auto results = k.branch(
      k.argument(ir::AbiKind::scalar, ElementKind::i1),
      [&] { return std::vector{k.load_pointer(p), k.binary(Opcode::addi, n, n)}; },
      [&] { return std::vector{n, n}; });
  k.keep(results[1], p);
  EXPECT_EQ(swept(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>, %arg2: tile<i1>) {
  %0 = if %arg2 -> (tile<i32>) {
    %2 = addi %arg1, %arg1 : tile<i32>
    yield %2 : tile<i32>
  } else {
    yield %arg1 : tile<i32>
  }
  %1 = store_ptr_tko weak %arg0, %0 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Dce, BreaksOfALiveLoopKeepTheirConditions) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  ir::Function& function = k.build().function();
  ir::Block body;
  body.arguments = {function.fresh(function.type(n)), function.fresh(function.type(n))};
  k.build().enter(body);
  const Value done = k.build().compare_int(ir::ComparisonPredicate::equal, body.arguments[0], n,
                                           ir::Signedness::signed_);
  ir::Block leave;
  k.build().enter(leave);
  k.end(Opcode::break_, {body.arguments[0], body.arguments[1]});
  k.build().leave();
  ir::OpDraft branch(Opcode::if_);
  branch.operand(done).region(std::move(leave));
  k.build().append(branch, {});
  k.keep(n, p);
  k.end(Opcode::continue_, {k.binary(Opcode::addi, body.arguments[0], n), body.arguments[1]});
  k.build().leave();
  ir::OpDraft loop(Opcode::loop);
  loop.group({n, n}).region(std::move(body));
  k.build().append(loop, {function.type(n), function.type(n)});
  EXPECT_EQ(swept(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  loop iter_values(%arg2 = %arg1) : tile<i32> {
    %0 = cmpi equal %arg2, %arg1, signed : tile<i32> -> tile<i1>
    if %0 {
      break
    }
    %1 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
    %2 = addi %arg2, %arg1 : tile<i32>
    continue %2 : tile<i32>
  }
  return
}
)");
}

TEST(Dce, EmptyElseBranchesVanish) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  k.branch(
      k.argument(ir::AbiKind::scalar, ElementKind::i1),
      [&] {
        k.keep(n, p);
        return std::vector<Value>{};
      },
      [&] {
        k.binary(Opcode::addi, n, n);
        return std::vector<Value>{};
      });
  EXPECT_EQ(swept(k), R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>, %arg2: tile<i1>) {
  if %arg2 {
    %0 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}
)");
}

}  // namespace
