// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/canonical.hpp>
#include <tilewright/passes/cse.hpp>
#include <tilewright/passes/dce.hpp>
#include <tilewright/passes/fold.hpp>
#include <tilewright/passes/licm.hpp>
#include <tilewright/passes/obligations.hpp>
#include <tilewright/passes/order_tokens.hpp>

#include "evaluator.hpp"
#include "random_kernel.hpp"

namespace {

using namespace tw;
using test::evaluate;
using test::Observation;
using test::RandomKernel;

using Pass = ir::Module (*)(ir::Module);
using Blocks = std::array<std::int64_t, 3>;

ir::Module canonical(ir::Module module) { return passes::canonical(std::move(module)); }

ir::Kernel after(Pass pass, ir::Kernel kernel) {
  kernel.module = pass(std::move(kernel.module));
  return kernel;
}

/// The sites that checks name, in the order of the ops: canonical form renumbers them.
void expect_same_meaning(const ir::Kernel& before, const ir::Kernel& now, bool same_check_order) {
  for (int trial = 0; trial < 4; ++trial) {
    const auto arguments = RandomKernel::arguments();
    const Blocks block{*rc::gen::inRange<std::int64_t>(0, 5), 0,
                       *rc::gen::inRange<std::int64_t>(0, 2)};
    const Observation expected = evaluate(before, arguments, block, {8, 1, 2});
    const Observation actual = evaluate(now, arguments, block, {8, 1, 2});
    RC_ASSERT(actual.stored == expected.stored);
    RC_ASSERT(actual.checks.size() == expected.checks.size());
    if (same_check_order) RC_ASSERT(actual.checks == expected.checks);
  }
}

void keeps_meaning(Pass pass, bool same_check_order = true) {
  const ir::Kernel before = RandomKernel().make();
  const ir::Kernel now = after(pass, before);
  expect_same_meaning(before, now, same_check_order);
  const ir::Kernel again = after(pass, now);
  RC_ASSERT(ir::print(again.module) == ir::print(now.module));
}

RC_GTEST_PROP(Meaning, FoldKeepsIt, ()) { keeps_meaning(passes::fold); }
RC_GTEST_PROP(Meaning, CseKeepsIt, ()) { keeps_meaning(passes::cse); }
RC_GTEST_PROP(Meaning, DceKeepsIt, ()) { keeps_meaning(passes::dce); }
RC_GTEST_PROP(Meaning, LicmKeepsIt, ()) { keeps_meaning(passes::licm); }
RC_GTEST_PROP(Meaning, CanonicalKeepsIt, ()) { keeps_meaning(canonical, false); }
RC_GTEST_PROP(Meaning, TokensKeepIt, ()) {
  const ir::Kernel before = RandomKernel().make();
  expect_same_meaning(before, after(passes::order_tokens, before), true);
}

/// Runs every block of a launch.
template <class F>
void for_blocks(const Blocks& blocks, F&& f) {
  for (std::int64_t z = 0; z < blocks[2]; ++z) {
    for (std::int64_t y = 0; y < blocks[1]; ++y) {
      for (std::int64_t x = 0; x < blocks[0]; ++x) f(Blocks{x, y, z});
    }
  }
}

RC_GTEST_PROP(Meaning, VerdictsOnChecksAreTrue, ()) {
  const ir::Kernel kernel = RandomKernel().make();
  const auto report = passes::analyse(kernel);
  // Sites are numbered in the order in which the ops were made; obligations in that of the walk.
  std::vector<passes::Verdict> by_site(report.obligations.size());
  for (const auto& each : report.obligations) by_site[each.site] = each.verdict;
  for (int trial = 0; trial < 3; ++trial) {
    const auto arguments = RandomKernel::arguments();
    const Blocks blocks{*rc::gen::inRange<std::int64_t>(1, 5),
                        *rc::gen::inRange<std::int64_t>(1, 3), 1};
    const bool proved = report.predicate.holds(arguments, blocks);
    for_blocks(blocks, [&](const Blocks& block) {
      for (const auto& check : evaluate(kernel, arguments, block, blocks).checks) {
        switch (by_site[static_cast<std::size_t>(check.site)]) {
          case passes::Verdict::folded:
            RC_ASSERT(check.holds);
            break;
          case passes::Verdict::refuted:
            RC_ASSERT(!check.holds);
            break;
          case passes::Verdict::launch:
            if (proved) RC_ASSERT(check.holds);
            break;
          case passes::Verdict::device:
          case passes::Verdict::guard:
            break;
        }
      }
    });
    if (!proved) continue;
    const auto fast = passes::assume_discharged(kernel, report, true);
    for_blocks(blocks, [&](const Blocks& block) {
      RC_ASSERT(evaluate(fast, arguments, block, blocks).stored ==
                evaluate(kernel, arguments, block, blocks).stored);
    });
  }
}

}  // namespace
