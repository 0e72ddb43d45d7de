// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/passes/pipeline.hpp>

#include "kernels/attention.hpp"
#include "kernels/matmul.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/trace.hpp"

namespace tw::tests {
namespace {

using passes::Verdict;

constexpr auto matmul_of_halves = &kernels::matmul<half>;

Specialisation matmul_facts() { return specialise<matmul_of_halves>({{cut(128), cut(128)}}); }
passes::Prepared prepared_matmul(const Specialisation& facts) {
  return passes::prepare(trace<matmul_of_halves>(facts, 64));
}

/// The arguments of a launch: c is m by n, a m by k, b k by n, all contiguous, in boxes of 128.
std::vector<std::int64_t> matmul_arguments(const ir::Kernel& kernel, std::int64_t m, std::int64_t n,
                                           std::int64_t k) {
  const std::int64_t extents[3][2] = {{m, n}, {m, k}, {k, n}};
  const std::int64_t grid[2] = {(m + 127) / 128, (n + 127) / 128};
  std::vector<std::int64_t> arguments;
  for (const ir::AbiSlot& slot : kernel.abi) {
    switch (slot.kind) {
      case ir::AbiKind::extent:
        arguments.push_back(extents[slot.parameter][slot.axis]);
        break;
      case ir::AbiKind::stride:
        arguments.push_back(extents[slot.parameter][1]);
        break;
      case ir::AbiKind::common_grid:
        arguments.push_back(grid[slot.axis]);
        break;
      default:
        arguments.push_back(0);
    }
  }
  return arguments;
}

TEST(Kernels, MatmulIsProvedAtLaunch) {
  const passes::Prepared matmul = prepared_matmul(matmul_facts());
  EXPECT_EQ(matmul.report.count(Verdict::folded), 1u) << "k runs over the tiles of a";
  EXPECT_EQ(matmul.report.count(Verdict::launch), 3u);
  EXPECT_EQ(matmul.report.count(Verdict::device), 0u);
  // 1000 by 520 in boxes of 128: 8 rows and 5 columns of boxes; the last axis is x.
  EXPECT_TRUE(
      matmul.report.predicate.holds(matmul_arguments(matmul.kernel, 1000, 520, 300), {5, 8, 1}));
  EXPECT_FALSE(
      matmul.report.predicate.holds(matmul_arguments(matmul.kernel, 1000, 512, 300), {5, 8, 1}))
      << "b is one box too narrow";
  const ir::Kernel fast = passes::optimise(matmul, {.predicate_holds = true});
  EXPECT_EQ(count_ops(fast, ir::Opcode::if_), 0u);
  EXPECT_EQ(count_ops(fast, ir::Opcode::check), 0u);
}

TEST(Kernels, SwizzledPersistentMatmulIsProvedAtLaunch) {
  Specialisation facts = matmul_facts();
  facts.linear_grid = true;
  facts.swizzle = 8;
  facts.persistent = true;
  const passes::Prepared matmul = prepared_matmul(facts);
  EXPECT_EQ(matmul.report.count(Verdict::device), 0u);
  // 20 rows of boxes: two full groups of 8 and one of 4.
  EXPECT_TRUE(
      matmul.report.predicate.holds(matmul_arguments(matmul.kernel, 2500, 520, 300), {16, 1, 1}));
  EXPECT_FALSE(
      matmul.report.predicate.holds(matmul_arguments(matmul.kernel, 100, 100, 0), {1, 1, 1}))
      << "a loop that does not run proves nothing";
}

TEST(Kernels, AttentionIsProvedAtLaunch) {
  constexpr auto kernel = &kernels::attention<half>;
  Specialisation facts =
      specialise<kernel>({{cut(1), cut(1), cut(64), all_of_axis(64)}, {cut(1), cut(1), cut(64)}});
  facts.parameters[5].present = false;
  const passes::Prepared attention =
      passes::prepare(trace<kernel>(facts, kernels::AttentionPlan{.causal = true}));
  EXPECT_EQ(attention.report.count(Verdict::device), 0u);
  EXPECT_EQ(attention.report.count(Verdict::refuted), 0u);
  const ir::Kernel fast = passes::optimise(attention, {.predicate_holds = true});
  EXPECT_EQ(count_ops(fast, ir::Opcode::if_), 0u);
}

}  // namespace
}  // namespace tw::tests
