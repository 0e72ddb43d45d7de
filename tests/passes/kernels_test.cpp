// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/dsl/specialisation.hpp>
#include <tilewright/dsl/trace_kernel.hpp>
#include <tilewright/passes/pipeline.hpp>

#include "kernels/attention.hpp"
#include "kernels/matmul.hpp"

namespace {

using namespace tw;
using passes::Verdict;

constexpr Cut tiles(std::int64_t size) { return {CutKind::tile, size}; }
constexpr Cut all(std::int64_t size) { return {CutKind::all, size}; }

ParameterFacts tensor(ParameterKind kind, DType dtype, int rank,
                      std::initializer_list<Cut> cuts = {}) {
  ParameterFacts facts{.kind = kind, .dtype = dtype, .rank = static_cast<std::int8_t>(rank)};
  std::size_t axis = 0;
  for (const Cut& cut : cuts) facts.cuts[axis++] = cut;
  facts.axes[static_cast<std::size_t>(rank - 1)].unit_stride = true;
  return facts;
}

template <class P>
P parameter(int index, detail::PlaceRef place) {
  return detail::DeviceParameter<P>::make(index, place);
}

passes::Prepared prepared(const Specialisation& facts, void (*call)(void*, detail::PlaceRef)) {
  return passes::prepare(detail::trace_kernel(facts, {nullptr, call}, Location::current()));
}

Specialisation matmul_facts() {
  Specialisation facts{.kernel = "matmul", .grid_rank = 2};
  facts.parameters = {tensor(ParameterKind::out, DType::f16, 2, {tiles(128), tiles(128)}),
                      tensor(ParameterKind::in, DType::f16, 2),
                      tensor(ParameterKind::in, DType::f16, 2),
                      {.kind = ParameterKind::constant}};
  return facts;
}

void call_matmul(void*, detail::PlaceRef place) {
  kernels::matmul<half>(parameter<Out<half, dyn, dyn>>(0, place), parameter<In2<half>>(1, place),
                        parameter<In2<half>>(2, place), 64);
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

std::size_t count_ops(const ir::Kernel& kernel, ir::Opcode code) {
  std::size_t count = 0;
  ir::walk(kernel.entry().body, [&](const ir::Op& op) { count += op.code == code; });
  return count;
}

TEST(Kernels, MatmulIsProvedAtLaunch) {
  const passes::Prepared matmul = prepared(matmul_facts(), call_matmul);
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
  const passes::Prepared matmul = prepared(facts, call_matmul);
  EXPECT_EQ(matmul.report.count(Verdict::device), 0u);
  // 20 rows of boxes: two full groups of 8 and one of 4.
  EXPECT_TRUE(
      matmul.report.predicate.holds(matmul_arguments(matmul.kernel, 2500, 520, 300), {16, 1, 1}));
  EXPECT_TRUE(
      matmul.report.predicate.holds(matmul_arguments(matmul.kernel, 100, 100, 0), {1, 1, 1}));
}

TEST(Kernels, AttentionIsProvedAtLaunch) {
  Specialisation facts{.kernel = "attention", .grid_rank = 3};
  const ParameterFacts input = tensor(ParameterKind::in, DType::f16, 4);
  ParameterFacts sink = tensor(ParameterKind::in, DType::f32, 1);
  sink.present = false;
  facts.parameters = {
      tensor(ParameterKind::out, DType::f16, 4, {tiles(1), tiles(1), tiles(64), all(64)}),
      tensor(ParameterKind::out, DType::f32, 3, {tiles(1), tiles(1), tiles(64)}),
      input,
      input,
      input,
      sink,
      {.kind = ParameterKind::scalar, .dtype = DType::f32},
      {.kind = ParameterKind::constant}};
  const passes::Prepared attention = prepared(facts, [](void*, detail::PlaceRef place) {
    kernels::attention<half>(parameter<Out<half, 1, 1, dyn, dyn>>(0, place),
                             parameter<std::optional<Out<float, 1, 1, dyn>>>(1, place),
                             parameter<In4<half>>(2, place), parameter<In4<half>>(3, place),
                             parameter<In4<half>>(4, place),
                             parameter<std::optional<In1<float>>>(5, place),
                             parameter<Float>(6, place), {.causal = true});
  });
  EXPECT_EQ(attention.report.count(Verdict::device), 0u);
  EXPECT_EQ(attention.report.count(Verdict::refuted), 0u);
  const ir::Kernel fast = passes::optimise(attention, {.predicate_holds = true});
  EXPECT_EQ(count_ops(fast, ir::Opcode::if_), 0u);
}

}  // namespace
