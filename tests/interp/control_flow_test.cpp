// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;
using ir::ComparisonPredicate;
using ir::Signedness;

/// The operations that control-flow kernels are written with.
class FlowKernel : public TestKernel {
 public:
  Value add(Value a, Value b) {
    return build().append(OpDraft(Opcode::addi).operand(a).operand(b), {build().type(a)});
  }
  Value multiply(Value a, Value b) {
    return build().append(OpDraft(Opcode::muli).operand(a).operand(b), {build().type(a)});
  }
  Value compare(ComparisonPredicate predicate, Value a, Value b) {
    return build().compare_int(predicate, a, b, Signedness::signed_);
  }
  using Body = std::function<void(std::span<const Value>)>;

  std::vector<Value> for_loop(Value first, Value last, Value step, const std::vector<Value>& init,
                              const Body& body, bool is_unsigned = false) {
    const std::vector<ir::Type> types = types_of(init);
    std::vector<ir::Type> arguments{build().type(first)};
    arguments.insert(arguments.end(), types.begin(), types.end());
    OpDraft draft(Opcode::for_);
    draft.operand(first).operand(last).operand(step).group(init);
    if (is_unsigned) draft.set(AttributeName::unsigned_comparison, ir::Attribute(std::int64_t{1}));
    draft.region(block(arguments, body));
    return appended(draft, types);
  }
  std::vector<Value> loop(const std::vector<Value>& init, const std::vector<ir::Type>& results,
                          const Body& body) {
    OpDraft draft(Opcode::loop);
    draft.group(init).region(block(types_of(init), body));
    return appended(draft, results);
  }
  std::vector<Value> if_else(Value condition, const std::vector<ir::Type>& results,
                             const std::function<void()>& then,
                             const std::function<void()>& otherwise) {
    OpDraft draft(Opcode::if_);
    draft.operand(condition);
    draft.region(block({}, [&](std::span<const Value>) { then(); }));
    if (otherwise) draft.region(block({}, [&](std::span<const Value>) { otherwise(); }));
    return appended(draft, results);
  }
  std::vector<Value> appended(OpDraft& draft, const std::vector<ir::Type>& types) {
    const auto& results = build().append(draft.finish(function(), types)).results;
    return {results.begin(), results.end()};
  }
  std::vector<ir::Type> types_of(const std::vector<Value>& values) {
    std::vector<ir::Type> types;
    for (const Value value : values) types.push_back(build().type(value));
    return types;
  }
};

const ir::Type int32 = ir::tile_type(i32);

std::int32_t sum_of_range(std::int32_t first, std::int32_t last, std::int32_t step,
                          bool is_unsigned = false) {
  FlowKernel k;
  const Value out = k.pointer(i32);
  const Value result = k.for_loop(
      k.i32(first), k.i32(last), k.i32(step), {k.i32(0)},
      [&](std::span<const Value> in) { k.end(Opcode::continue_, {k.add(in[1], in[0])}); },
      is_unsigned)[0];
  k.store_all(result, out);
  std::int32_t sum = -1;
  k.run({address(&sum)});
  return sum;
}

TEST(For, CountsFromFirstToBeforeLast) {
  EXPECT_EQ(sum_of_range(0, 10, 1), 45);
  EXPECT_EQ(sum_of_range(0, 10, 3), 0 + 3 + 6 + 9);
  EXPECT_EQ(sum_of_range(-3, 2, 2), -3 - 1 + 1);
  EXPECT_EQ(sum_of_range(5, 5, 1), 0);
  EXPECT_EQ(sum_of_range(6, 5, 1), 0);
}

TEST(For, ComparesUnsignedWhenTold) {
  EXPECT_EQ(sum_of_range(-2, 1, 1), -3);
  EXPECT_EQ(sum_of_range(-2, 1, 1, true), 0);
  EXPECT_EQ(sum_of_range(2, -2147483647, 1 << 30, true), 2 + (2 + (1 << 30)));
}

TEST(For, StopsAtTheEndOfItsType) {
  EXPECT_EQ(sum_of_range(2147483640, 2147483647, 4),
            static_cast<std::int32_t>(2147483640u + 2147483644u));
}

TEST(For, WithoutPositiveStepDoesNotRun) {
  EXPECT_EQ(sum_of_range(0, 10, 0), 0);
  EXPECT_EQ(sum_of_range(0, 10, -1), 0);
}

TEST(For, CarriesSeveralValuesAtOnce) {
  // (a, b) -> (b, a + b): the new a must be the old b.
  FlowKernel k;
  const Value out = k.pointer(i32);
  const auto fibonacci = k.for_loop(
      k.i32(0), k.i32(10), k.i32(1), {k.i32(0), k.i32(1)},
      [&](std::span<const Value> in) { k.end(Opcode::continue_, {in[2], k.add(in[1], in[2])}); });
  k.store_all(fibonacci[0], out);
  std::int32_t result = 0;
  k.run({address(&result)});
  EXPECT_EQ(result, 55);
}

TEST(For, SwapsTiles) {
  FlowKernel k;
  const Value out = k.pointer(i32);
  const Value a = k.build().constant(i32, 1, {64});
  const Value b = k.build().constant(i32, 2, {64});
  const auto swapped =
      k.for_loop(k.i32(0), k.i32(3), k.i32(1), {a, b},
                 [&](std::span<const Value> in) { k.end(Opcode::continue_, {in[2], in[1]}); });
  k.store_all(k.build().append(OpDraft(Opcode::cat)
                                   .operand(swapped[0])
                                   .operand(swapped[1])
                                   .set(AttributeName::dim, ir::Attribute(std::int64_t{0})),
                               {ir::tile_type(i32, {128})}),
              out);
  std::vector<std::int32_t> result(128);
  k.run({address(result.data())});
  EXPECT_EQ(std::vector<std::int32_t>(result.begin(), result.begin() + 64),
            std::vector<std::int32_t>(64, 2));
  EXPECT_EQ(std::vector<std::int32_t>(result.begin() + 64, result.end()),
            std::vector<std::int32_t>(64, 1));
}

TEST(For, KeepsTheCarriedValueThatIsStillRead) {
  // new = old + 1 may be computed in place, but old * 10 is read afterwards.
  FlowKernel k;
  const Value out = k.pointer(i32);
  const auto results = k.for_loop(k.i32(0), k.i32(3), k.i32(1), {k.i32(5), k.i32(0)},
                                  [&](std::span<const Value> in) {
                                    const Value next = k.add(in[1], k.i32(1));
                                    k.end(Opcode::continue_, {next, k.multiply(in[1], k.i32(10))});
                                  });
  k.store_all(k.add(results[0], results[1]), out);
  std::int32_t result = 0;
  k.run({address(&result)});
  EXPECT_EQ(result, 8 + 70);
}

TEST(For, RestartsInnerLoopsFromTheirInit) {
  FlowKernel k;
  const Value out = k.pointer(i32);
  const Value total =
      k.for_loop(k.i32(0), k.i32(4), k.i32(1), {k.i32(0)}, [&](std::span<const Value> outer) {
        const Value inner = k.for_loop(
            k.i32(0), k.i32(3), k.i32(1), {outer[0]},
            [&](std::span<const Value> in) { k.end(Opcode::continue_, {k.add(in[1], in[0])}); })[0];
        k.end(Opcode::continue_, {k.add(outer[1], inner)});
      })[0];
  k.store_all(total, out);
  std::int32_t result = 0;
  k.run({address(&result)});
  EXPECT_EQ(result, (0 + 1 + 2 + 3) + 4 * 3);
}

TEST(Loop, BreaksThroughBranchesWithValuesOfItsOwn) {
  // Collatz: steps from 27 to 1, broken off with the steps as the loop's only result.
  FlowKernel k;
  const Value out = k.pointer(i32);
  const Value steps = k.loop({k.i32(27), k.i32(0)}, {int32}, [&](std::span<const Value> in) {
    k.if_else(
        k.compare(ComparisonPredicate::equal, in[0], k.i32(1)), {},
        [&] { k.end(Opcode::break_, {in[1]}); }, nullptr);
    const Value odd =
        k.build().append(OpDraft(Opcode::andi).operand(in[0]).operand(k.i32(1)), {int32});
    const Value next = k.if_else(
        k.compare(ComparisonPredicate::equal, odd, k.i32(1)), {int32},
        [&] { k.end(Opcode::yield, {k.add(k.multiply(in[0], k.i32(3)), k.i32(1))}); },
        [&] {
          k.end(Opcode::yield,
                {k.build().append(OpDraft(Opcode::shri)
                                      .operand(in[0])
                                      .operand(k.i32(1))
                                      .set(AttributeName::signedness, Signedness::signed_),
                                  {int32})});
        })[0];
    k.end(Opcode::continue_, {next, k.add(in[1], k.i32(1))});
  })[0];
  k.store_all(steps, out);
  std::int32_t result = 0;
  k.run({address(&result)});
  EXPECT_EQ(result, 111);
}

TEST(Loop, ContinuesFromInsideABranch) {
  // Sums the odd numbers below 10: even ones continue early.
  FlowKernel k;
  const Value out = k.pointer(i32);
  const Value sum = k.loop({k.i32(0), k.i32(0)}, {int32}, [&](std::span<const Value> in) {
    k.if_else(
        k.compare(ComparisonPredicate::greater_than_or_equal, in[0], k.i32(10)), {},
        [&] { k.end(Opcode::break_, {in[1]}); }, nullptr);
    const Value next = k.add(in[0], k.i32(1));
    const Value odd =
        k.build().append(OpDraft(Opcode::andi).operand(in[0]).operand(k.i32(1)), {int32});
    k.if_else(
        k.compare(ComparisonPredicate::equal, odd, k.i32(0)), {},
        [&] { k.end(Opcode::continue_, {next, in[1]}); }, nullptr);
    k.end(Opcode::continue_, {next, k.add(in[1], in[0])});
  })[0];
  k.store_all(sum, out);
  std::int32_t result = 0;
  k.run({address(&result)});
  EXPECT_EQ(result, 25);
}

TEST(Loop, InnerBreakLeavesTheInnerLoopOnly) {
  FlowKernel k;
  const Value out = k.pointer(i32);
  const Value total =
      k.for_loop(k.i32(1), k.i32(4), k.i32(1), {k.i32(0)}, [&](std::span<const Value> outer) {
        const Value counted = k.loop({k.i32(0)}, {int32}, [&](std::span<const Value> in) {
          k.if_else(
              k.compare(ComparisonPredicate::equal, in[0], outer[0]), {},
              [&] { k.end(Opcode::break_, {in[0]}); }, nullptr);
          k.end(Opcode::continue_, {k.add(in[0], k.i32(1))});
        })[0];
        k.end(Opcode::continue_, {k.add(outer[1], counted)});
      })[0];
  k.store_all(total, out);
  std::int32_t result = 0;
  k.run({address(&result)});
  EXPECT_EQ(result, 6);
}

TEST(Return, EndsTheBlockFromInsideLoops) {
  FlowKernel k;
  const Value out = k.pointer(i32);
  k.store_all(k.i32(1), out);
  k.loop({}, {}, [&](std::span<const Value>) {
    k.if_else(k.build().constant(i1, 1), {}, [&] { k.end(Opcode::return_); }, nullptr);
    k.end(Opcode::continue_);
  });
  k.store_all(k.i32(2), out);
  std::int32_t result = 0;
  k.run({address(&result)});
  EXPECT_EQ(result, 1);
}

TEST(Blocks, KnowTheirPlaceInTheGrid) {
  FlowKernel k;
  const Value out = k.pointer(i32);
  const auto id = k.build().block_ids();
  const auto count = k.build().block_counts();
  const Value linear =
      k.add(id[0], k.multiply(count[0], k.add(id[1], k.multiply(count[1], id[2]))));
  k.store(k.build().reshape(linear, {1}), k.tiles(out, {24}, {1}), {linear});
  std::vector<std::int32_t> result(24, -1);
  k.run({address(result.data())}, {2, 3, 4});
  for (std::int32_t block = 0; block < 24; ++block) {
    EXPECT_EQ(result[static_cast<std::size_t>(block)], block);
  }
}

}  // namespace
}  // namespace tw::interp_test
