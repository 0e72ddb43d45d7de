// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/pipeline.hpp>

#include "evaluator.hpp"
#include "random_kernel.hpp"
#include "traced_kernel.hpp"

namespace {

using namespace tw;
using ir::Opcode;
using ir::Value;
using test::TracedKernel;

/// z[i] = x[i] + y[i] over tiles of 64 of the block; every load guarded by its check.
ir::Kernel vector_sum() {
  TracedKernel k;
  const Value z = k.base();
  const Value z_size = k.extent();
  const Value x = k.base();
  const Value x_size = k.extent();
  const Value y = k.base();
  const Value y_size = k.extent();
  const Value block = k.build().block_ids()[0];
  const auto load = [&](Value input, Value size) {
    const Value view = k.tiles(input, size, 64);
    const Value count = k.ceil_div(size, k.constant(64));
    return k.branch(
        k.check(block, count), [&] { return std::vector{k.load(view, block)}; },
        [&] { return std::vector{k.build().constant(ElementKind::f32, 0, {64})}; })[0];
  };
  const Value a = load(x, x_size);
  const Value b = load(y, y_size);
  k.store(k.build().float_op(Opcode::addf, a, b, ir::RoundingMode::nearest_even, false),
          k.tiles(z, z_size, 64), block);
  return k.finish();
}

TEST(Pipeline, AProvedKernelHasNeitherChecksNorGuardsNorFaultParameters) {
  const ir::Kernel kernel =
      passes::optimise(passes::prepare(vector_sum()), {.predicate_holds = true});
  EXPECT_EQ(kernel.abi.size(), 6u);
  EXPECT_TRUE(kernel.module.sites.empty());
  std::vector<Opcode> codes;
  for (const ir::Op& op : kernel.entry().body.ops) codes.push_back(op.code);
  using enum Opcode;
  EXPECT_THAT(codes, testing::ElementsAre(make_tensor_view, make_partition_view, get_tile_block_id,
                                          load_view_tko, make_tensor_view, make_partition_view,
                                          load_view_tko, addf, make_tensor_view,
                                          make_partition_view, store_view_tko, return_));
}

TEST(Pipeline, AnUnprovedKernelReportsFaults) {
  const ir::Kernel kernel = passes::optimise(passes::prepare(vector_sum()));
  ASSERT_EQ(kernel.abi.size(), 8u);
  EXPECT_EQ(kernel.abi[6].kind, ir::AbiKind::fault_block);
  EXPECT_EQ(kernel.module.sites.size(), 2u);
}

TEST(Pipeline, AllChecksCanBeKept) {
  TracedKernel k;
  k.check(k.constant(1), k.constant(2));
  passes::Prepared prepared = passes::prepare(k.finish());
  EXPECT_EQ(prepared.report.count(passes::Verdict::folded), 1u);
  const ir::Kernel kernel = passes::optimise(std::move(prepared), {.keep_all_checks = true});
  EXPECT_EQ(kernel.module.sites.size(), 1u);
}

/// z = x + y tile by tile, each load guarded by two checks that are the same in every iteration,
/// recorded by a compiler that evaluates the left or the right operand first.
ir::Kernel sum_in_a_loop(bool left_first) {
  TracedKernel k;
  const Value x = k.base();
  const Value y = k.base();
  const Value z = k.base();
  const Value size = k.extent();
  const Value bounds[] = {k.extent(), k.extent()};
  const auto blocks = k.build().block_ids();
  k.loop(k.constant(0), size, k.constant(1), [&](Value i) {
    const auto load = [&](Value input, Value bound) {
      const Value first = k.check(blocks[0], bound);
      const Value inside = k.binary(Opcode::andi, first, k.check(blocks[1], bound));
      return k.branch(
          inside, [&] { return std::vector{k.load(k.tiles(input, size, 64), i)}; },
          [&] { return std::vector{k.build().constant(ElementKind::f32, 0, {64})}; })[0];
    };
    Value a, b;
    if (left_first) a = load(x, bounds[0]);
    b = load(y, bounds[1]);
    if (!left_first) a = load(x, bounds[0]);
    k.store(k.build().float_op(Opcode::addf, a, b, ir::RoundingMode::nearest_even, false),
            k.tiles(z, size, 64), i);
  });
  return k.finish();
}

TEST(Pipeline, OrdersOfEvaluationDoNotShow) {
  for (const bool holds : {true, false}) {
    const auto text = [&](bool left_first) {
      return ir::print(
          passes::optimise(passes::prepare(sum_in_a_loop(left_first)),
                           {.predicate_holds = holds, .origins = passes::Origins::strip})
              .module);
    };
    EXPECT_EQ(text(true), text(false));
  }
}

RC_GTEST_PROP(Pipeline, KeepsTheMeaningOfKernels, ()) {
  const ir::Kernel kernel = test::RandomKernel().make();
  const passes::Prepared prepared = passes::prepare(kernel);
  auto arguments = test::RandomKernel::arguments();
  const std::array<std::int64_t, 3> blocks{3, 2, 1};
  const bool holds = prepared.report.predicate.holds(arguments, blocks);
  const ir::Kernel fast = passes::optimise(prepared, {.predicate_holds = holds});
  arguments.resize(fast.abi.size());
  for (std::int64_t x = 0; x < blocks[0]; ++x) {
    const std::array<std::int64_t, 3> block{x, 1, 0};
    RC_ASSERT(test::evaluate(fast, arguments, block, blocks).stored ==
              test::evaluate(kernel, arguments, block, blocks).stored);
  }
}

}  // namespace
