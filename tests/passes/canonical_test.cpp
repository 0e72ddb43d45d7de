// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/canonical.hpp>

#include "random_kernel.hpp"
#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::Value;
using test::TracedKernel;

/// What two compilers make of `f(first(), second())`.
template <class First, class Second>
std::pair<Value, Value> evaluated(bool left_first, First&& first, Second&& second) {
  if (left_first) {
    const Value a = first();
    return {a, second()};
  }
  const Value b = second();
  return {first(), b};
}

/// A guarded load of each input, added and stored, in either order of evaluation.
ir::Module guarded_sum(bool left_first) {
  TracedKernel k;
  const Value left = k.base();
  const Value right = k.base();
  const Value n = k.extent();
  const Value x = k.build().block_ids()[0];
  const auto load = [&](Value input) {
    return [&k, input, n, x] {
      const Value view = k.tiles(input, n, 64);
      const Value count = k.ceil_div(n, k.constant(64));
      return k.branch(
          k.check(x, count), [&] { return std::vector{k.load(view, x)}; },
          [&] { return std::vector{k.build().constant(ElementKind::f32, 0, {64})}; })[0];
    };
  };
  const auto [a, b] = evaluated(left_first, load(left), load(right));
  const Value sum = k.build().float_op(Opcode::addf, a, b, ir::RoundingMode::nearest_even, false);
  k.store(sum, k.tiles(k.base(), n, 64), x);
  return k.finish().module;
}

TEST(Canonical, OrdersOfEvaluationDoNotShow) {
  EXPECT_NE(ir::print(guarded_sum(true)), ir::print(guarded_sum(false)));
  EXPECT_EQ(ir::print(passes::canonical(guarded_sum(true), passes::Origins::strip)),
            ir::print(passes::canonical(guarded_sum(false), passes::Origins::strip)));
}

TEST(Canonical, OpsStandBeforeTheirFirstUserOperandsFirst) {
  TracedKernel k;
  const Value p = k.base(ElementKind::i32);
  const Value n = k.extent();
  const Value unused = k.constant(5);
  k.binary(Opcode::addi, unused, n);
  const Value late = k.binary(Opcode::muli, n, n);
  const Value two = k.constant(2);
  k.keep(k.binary(Opcode::addi, n, two), p);
  k.keep(k.binary(Opcode::subi, two, late), p);
  EXPECT_EQ(ir::print(passes::canonical(k.finish().module)),
            R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  %cst_2_i32 = constant <i32: 2> : tile<i32>
  %0 = addi %arg1, %cst_2_i32 : tile<i32>
  %1 = store_ptr_tko weak %arg0, %0 : tile<ptr<i32>>, tile<i32> -> token
  %2 = muli %arg1, %arg1 : tile<i32>
  %3 = subi %cst_2_i32, %2 : tile<i32>
  %4 = store_ptr_tko weak %arg0, %3 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
}

TEST(Canonical, LoadsOfWhatIsWrittenStayBetweenTheWrites) {
  for (const bool left_first : {true, false}) {
    TracedKernel k;
    const Value p = k.base(ElementKind::i32);
    const Value q = k.base(ElementKind::i32);
    k.keep(k.constant(1), p);
    const auto [a, b] =
        evaluated(left_first, [&] { return k.load_pointer(p); }, [&] { return k.load_pointer(q); });
    k.keep(k.constant(2), p);
    k.keep(k.binary(Opcode::subi, a, b), q);
    EXPECT_EQ(ir::print(passes::canonical(k.finish().module)),
              R"(entry @k(%arg0: tile<ptr<i32>>, %arg1: tile<ptr<i32>>) {
  %cst_1_i32 = constant <i32: 1> : tile<i32>
  %0 = store_ptr_tko weak %arg0, %cst_1_i32 : tile<ptr<i32>>, tile<i32> -> token
  %result, %result_token = load_ptr_tko weak %arg0 : tile<ptr<i32>> -> tile<i32>, token
  %result_0, %result_token_1 = load_ptr_tko weak %arg1 : tile<ptr<i32>> -> tile<i32>, token
  %cst_2_i32 = constant <i32: 2> : tile<i32>
  %1 = store_ptr_tko weak %arg0, %cst_2_i32 : tile<ptr<i32>>, tile<i32> -> token
  %2 = subi %result, %result_0 : tile<i32>
  %3 = store_ptr_tko weak %arg1, %2 : tile<ptr<i32>>, tile<i32> -> token
  return
}
)");
  }
}

TEST(Canonical, SitesFollowTheOpsThatNameThem) {
  TracedKernel k;
  const Value n = k.extent();
  k.check(n, n, 10);
  k.check(n, n, 20);
  ir::Kernel kernel = k.finish();
  ir::Block& body = kernel.entry().body;
  const auto first = std::ranges::find(body.ops, Opcode::check, &ir::Op::code);
  body.ops.erase(first);
  const ir::Module module = passes::canonical(std::move(kernel.module));
  ASSERT_EQ(module.sites.size(), 1u);
  EXPECT_EQ(module.locations[module.sites[0].location].line, 20u);
}

TEST(Canonical, StrippedModulesHaveNoOrigins) {
  TracedKernel k;
  k.check(k.extent(), k.extent());
  ir::Kernel kernel = k.finish();
  kernel.module.name = "mine";
  kernel.module.producer = "someone";
  const ir::Module module = passes::canonical(std::move(kernel.module), passes::Origins::strip);
  EXPECT_EQ(module.functions[0].name, "kernel");
  EXPECT_EQ(module.name, "kernels");
  EXPECT_FALSE(module.producer.has_value());
  EXPECT_EQ(module.locations.size(), 1u);
  EXPECT_EQ(module.sites[0].location, ir::LocationId::unknown);
}

/// Exchanges neighbours that do not depend on each other, as often as it likes.
void shuffle(ir::Block& block) {
  for (ir::Op& op : block.ops) {
    for (ir::Block& region : op.regions) shuffle(region);
  }
  const auto stays = [](const ir::Op& op) { return op.row().effect != ir::Effect::pure; };
  const auto reads = [](const ir::Op& op, const ir::Op& before) {
    const auto reads_of = [&](auto&& self, const ir::Op& each) -> bool {
      const bool here = std::ranges::any_of(each.operands, [&](Value operand) {
        return std::ranges::find(before.results, operand) != before.results.end();
      });
      return here || std::ranges::any_of(each.regions, [&](const ir::Block& region) {
               return std::ranges::any_of(region.ops,
                                          [&](const ir::Op& inner) { return self(self, inner); });
             });
    };
    return reads_of(reads_of, op);
  };
  if (block.ops.size() < 3) return;
  for (int i = 0; i < 60; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, block.ops.size() - 2);
    ir::Op& a = block.ops[at];
    ir::Op& b = block.ops[at + 1];
    if ((stays(a) && stays(b)) || reads(b, a)) continue;
    std::swap(a, b);
  }
}

RC_GTEST_PROP(Canonical, AnyOrderOfPureOpsGivesTheSameModule, ()) {
  ir::Kernel kernel = test::RandomKernel().make();
  const std::string expected = ir::print(passes::canonical(kernel.module));
  shuffle(kernel.entry().body);
  RC_ASSERT(ir::print(passes::canonical(std::move(kernel.module))) == expected);
}

}  // namespace
