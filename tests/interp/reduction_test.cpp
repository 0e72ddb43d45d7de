// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;
using ir::ComparisonOrdering;
using ir::ComparisonPredicate;
using ir::Signedness;
using Patterns = std::vector<std::uint64_t>;

/// The body of a combiner: arguments are (element, accumulated) for each operand.
using Combine = std::function<std::vector<Value>(ir::Builder&, std::span<const Value>)>;

struct Along {
  std::int64_t axis;
  ir::ScalarArray identities;
  bool scan = false;
  bool reverse = false;
};

ir::Op& append_combination(TestKernel& kernel, std::span<const Value> operands, const Along& along,
                           const Combine& combine) {
  ir::Builder& builder = kernel.build();
  std::vector<ir::Type> arguments;
  std::vector<ir::Type> results;
  for (const Value operand : operands) {
    const ir::TileType& type = builder.type(operand).tile();
    Shape shape = type.shape;
    if (!along.scan) shape.erase(static_cast<std::size_t>(along.axis));
    results.push_back(ir::tile_type(type.kind(), shape));
    arguments.insert(arguments.end(), 2, ir::tile_type(type.kind()));
  }
  OpDraft draft(along.scan ? Opcode::scan : Opcode::reduce);
  draft.group(operands);
  draft.set(AttributeName::dim, ir::Attribute(along.axis));
  draft.set(AttributeName::identities, ir::Attribute(along.identities));
  if (along.scan) draft.set(AttributeName::reverse, ir::Attribute(std::int64_t{along.reverse}));
  draft.region(kernel.block(arguments, [&](std::span<const Value> in) {
    kernel.end(Opcode::yield, combine(builder, in));
  }));
  return builder.append(draft.finish(kernel.function(), results));
}

Patterns combined(const Elements& source, const Along& along, const Combine& combine) {
  TestKernel kernel;
  ir::Builder& builder = kernel.build();
  const Value out = kernel.pointer(source.kind);
  const std::vector<Value> operand{builder.append(
      OpDraft(Opcode::constant).set(AttributeName::value, ir::dense(source.kind, source.patterns)),
      {ir::tile_type(source.kind, source.shape)})};
  const Value result = append_combination(kernel, operand, along, combine).result();
  kernel.store_all(result, out);
  const std::size_t bytes = info(source.kind).storage_bytes();
  const auto count = static_cast<std::size_t>(product(builder.type(result).tile().shape));
  std::vector<std::byte> memory(count * bytes);
  kernel.run({address(memory.data())});
  Patterns patterns(count);
  for (std::size_t k = 0; k < count; ++k) std::memcpy(&patterns[k], &memory[k * bytes], bytes);
  return patterns;
}

Combine apply(Opcode code, std::optional<Signedness> signedness = std::nullopt) {
  return [=](ir::Builder& builder, std::span<const Value> in) {
    OpDraft draft(code);
    draft.operand(in[0]).operand(in[1]);
    if (signedness) draft.set(AttributeName::signedness, *signedness);
    if (ir::attribute_index(ir::row(code), AttributeName::rounding) >= 0) {
      draft.set(AttributeName::rounding, ir::RoundingMode::nearest_even);
    }
    return std::vector{builder.append(draft, {builder.type(in[0])})};
  };
}

/// accumulated * 2 + element: neither commutative nor known to the interpreter.
std::vector<Value> horner(ir::Builder& builder, std::span<const Value> in) {
  const ir::Type type = builder.type(in[0]);
  const Value two = builder.integer(type.tile().kind(), 2);
  const Value doubled = builder.append(OpDraft(Opcode::muli).operand(in[1]).operand(two), {type});
  return {builder.append(OpDraft(Opcode::addi).operand(doubled).operand(in[0]), {type})};
}

Elements counting(const Shape& shape) {
  Patterns patterns(static_cast<std::size_t>(product(shape)));
  std::iota(patterns.begin(), patterns.end(), 0);
  return {i32, shape, patterns};
}

TEST(Reduce, AddsAlongAnyAxis) {
  const ir::ScalarArray zero{{i32, 0}};
  EXPECT_EQ(combined(counting({2, 4}), {0, zero}, apply(Opcode::addi)), Patterns({4, 6, 8, 10}));
  EXPECT_EQ(combined(counting({2, 4}), {1, zero}, apply(Opcode::addi)), Patterns({6, 22}));
  EXPECT_EQ(combined(counting({2, 2, 2}), {1, zero}, apply(Opcode::addi)),
            Patterns({2, 4, 10, 12}));
  EXPECT_EQ(combined(counting({16}), {0, {{i32, 100}}}, apply(Opcode::addi)), Patterns({220}));
}

TEST(Reduce, RoundsEachStepInAscendingOrder) {
  // 1 absorbs 2^-24 every time; from the other end the small ones would add up first.
  EXPECT_EQ(combined(f32s({1, 0x1p-24f, 0x1p-24f, 0x1p-24f}), {0, {{f32, 0}}}, apply(Opcode::addf)),
            Patterns({bits(1.0f)}));
  EXPECT_EQ(combined(f32s({0x1p-24f, 0x1p-24f, 0x1p-24f, 1}), {0, {{f32, 0}}}, apply(Opcode::addf)),
            Patterns({bits(1 + 0x1p-22f)}));
  // 2048 + 1 is a tie of f16 at each step.
  EXPECT_EQ(
      combined(row(f16, {0x6800, 0x3c00, 0x3c00, 0x3c00}), {0, {{f16, 0}}}, apply(Opcode::addf)),
      Patterns({0x6800}));
  // The same for many rows side by side, over the inner and the outer axis.
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::vector<float> values(32 * 64);
  for (float& value : values) value = distribution(generator);
  std::vector<float> row_sums(32, 0);
  std::vector<float> column_sums(64, 0);
  for (std::size_t i = 0; i < 32; ++i) {
    for (std::size_t j = 0; j < 64; ++j) {
      row_sums[i] += values[i * 64 + j];
      column_sums[j] += values[i * 64 + j];
    }
  }
  const Elements tile{f32, {32, 64}, all_bits(values)};
  EXPECT_EQ(combined(tile, {1, {{f32, 0}}}, apply(Opcode::addf)), all_bits(row_sums));
  EXPECT_EQ(combined(tile, {0, {{f32, 0}}}, apply(Opcode::addf)), all_bits(column_sums));
}

TEST(Reduce, WithEveryKnownCombiner) {
  const Elements values = row(i8, {0x81, 3, 0x7f, 3});
  const auto result = [&](Opcode code, std::uint64_t identity,
                          std::optional<Signedness> signedness = std::nullopt) {
    return combined(values, {0, {{i8, identity}}}, apply(code, signedness))[0];
  };
  EXPECT_EQ(result(Opcode::addi, 0), (0x81 + 3 + 0x7f + 3) & 0xff);
  EXPECT_EQ(result(Opcode::muli, 1), (0x81 * 3 * 0x7f * 3) & 0xff);
  EXPECT_EQ(result(Opcode::maxi, 0x80, Signedness::signed_), 0x7f);
  EXPECT_EQ(result(Opcode::maxi, 0, Signedness::unsigned_), 0x81);
  EXPECT_EQ(result(Opcode::mini, 0x7f, Signedness::signed_), 0x81);
  EXPECT_EQ(result(Opcode::mini, 0xff, Signedness::unsigned_), 3);
  EXPECT_EQ(result(Opcode::andi, 0xff), 1);
  EXPECT_EQ(result(Opcode::ori, 0), 0xff);
  EXPECT_EQ(result(Opcode::xori, 0), 0x81 ^ 0x7f);
  const Elements floats = f32s({2, -0.5f, std::nanf(""), 3});
  EXPECT_EQ(combined(floats, {0, {{f32, bits(-INFINITY)}}}, apply(Opcode::maxf)),
            Patterns({bits(3.0f)}));
  EXPECT_EQ(combined(floats, {0, {{f32, bits(INFINITY)}}}, apply(Opcode::minf)),
            Patterns({bits(-0.5f)}));
  EXPECT_EQ(combined(f32s({2, -0.5f, 3, 1}), {0, {{f32, bits(1.0f)}}}, apply(Opcode::mulf)),
            Patterns({bits(-3.0f)}));
}

TEST(Reduce, WithAnyCombinerGoesUpTheAxis) {
  // Binary digits: the first element is the most significant.
  EXPECT_EQ(combined(row(i32, {1, 0, 1, 1}), {0, {{i32, 0}}}, horner), Patterns({11}));
  EXPECT_EQ(combined({i32, {2, 4}, {1, 0, 1, 1, 0, 1, 1, 0}}, {1, {{i32, 0}}}, horner),
            Patterns({11, 6}));
  EXPECT_EQ(combined({i32, {2, 4}, {1, 0, 1, 1, 0, 1, 1, 0}}, {0, {{i32, 0}}}, horner),
            Patterns({2, 1, 3, 2}));
}

TEST(Reduce, OfMoreLanesThanAStrip) {
  for (const std::int64_t axis : {0, 1, 2}) {
    Shape shape{16, 4, 64};
    const Elements source = counting(shape);
    const Patterns result = combined(source, {axis, {{i32, 5}}}, horner);
    const Shape strides{256, 64, 1};
    const auto length = static_cast<std::uint64_t>(shape[static_cast<std::size_t>(axis)]);
    const auto stride = static_cast<std::uint64_t>(strides[static_cast<std::size_t>(axis)]);
    shape.erase(static_cast<std::size_t>(axis));
    ASSERT_EQ(result.size(), static_cast<std::size_t>(product(shape)));
    std::size_t lane = 0;
    for (std::uint64_t start = 0; start < 4096; ++start) {
      if (start / stride % length != 0) continue;
      std::uint32_t expected = 5;
      for (std::uint64_t k = 0; k < length; ++k) {
        expected = expected * 2 + static_cast<std::uint32_t>(start + k * stride);
      }
      ASSERT_EQ(result[lane++], expected) << "axis " << axis << ", element " << start;
    }
  }
}

TEST(Reduce, UsesOuterValues) {
  TestKernel kernel;
  ir::Builder& builder = kernel.build();
  const Value out = kernel.pointer(i32);
  const Value factor = kernel.scalar(i32);
  const std::vector<Value> operand{builder.append(
      OpDraft(Opcode::constant).set(AttributeName::value, ir::dense(i32, {1, 2, 3, 4})),
      {ir::tile_type(i32, {2, 2})})};
  const Value result =
      append_combination(kernel, operand, {0, {{i32, 0}}},
                         [&](ir::Builder&, std::span<const Value> in) {
                           const ir::Type& type = builder.type(in[0]);
                           const Value scaled = builder.append(
                               OpDraft(Opcode::muli).operand(in[0]).operand(factor), {type});
                           return std::vector{builder.append(
                               OpDraft(Opcode::addi).operand(scaled).operand(in[1]), {type})};
                         })
          .result();
  kernel.store_all(result, out);
  std::int32_t memory[2] = {};
  kernel.run({address(memory), 10});
  EXPECT_EQ(memory[0], 40);
  EXPECT_EQ(memory[1], 60);
}

TEST(Reduce, FindsTheFirstMaximumOfTwoOperands) {
  TestKernel kernel;
  ir::Builder& builder = kernel.build();
  const Value out = kernel.pointer(i32);
  const auto constant = [&](ElementKind kind, const Patterns& patterns) {
    return builder.append(
        OpDraft(Opcode::constant).set(AttributeName::value, ir::dense(kind, patterns)),
        {ir::tile_type(kind, {2, 4})});
  };
  const std::vector<Value> operands{constant(f32, all_bits<float>({1, 7, 7, 2, -3, -1, -2, -1})),
                                    constant(i32, {0, 1, 2, 3, 0, 1, 2, 3})};
  const ir::Op& op = append_combination(kernel, operands, {1, {{f32, bits(-INFINITY)}, {i32, 0}}},
                                        [&](ir::Builder&, std::span<const Value> in) {
                                          const Value greater = builder.compare_float(
                                              ComparisonPredicate::greater_than, in[0], in[1],
                                              ComparisonOrdering::ordered);
                                          return std::vector{builder.select(greater, in[0], in[1]),
                                                             builder.select(greater, in[2], in[3])};
                                        });
  kernel.store_all(op.result(1), out);
  std::int32_t memory[2] = {};
  kernel.run({address(memory)});
  EXPECT_EQ(memory[0], 1);
  EXPECT_EQ(memory[1], 1);
}

TEST(Reduce, WithACombinerOfWiderTiles) {
  // Each element is looked up in a table: ops on more than one element run lane by lane.
  TestKernel kernel;
  ir::Builder& builder = kernel.build();
  const Value out = kernel.pointer(i32);
  const auto constant = [&](const Shape& shape, const Patterns& patterns) {
    return builder.append(
        OpDraft(Opcode::constant).set(AttributeName::value, ir::dense(i32, patterns)),
        {ir::tile_type(i32, shape)});
  };
  const Value table = constant({4}, {100, 200, 300, 400});
  const std::vector<Value> operand{constant({2, 4}, {0, 1, 2, 3, 3, 3, 0, 1})};
  const Value result =
      append_combination(
          kernel, operand, {1, {{i32, 7}}},
          [&](ir::Builder&, std::span<const Value> in) {
            const Value entry = builder.append(
                OpDraft(Opcode::extract).operand(table).group({in[0]}), {ir::tile_type(i32, {1})});
            return std::vector{builder.append(
                OpDraft(Opcode::addi).operand(builder.reshape(entry, {})).operand(in[1]),
                {builder.type(in[1])})};
          })
          .result();
  kernel.store_all(result, out);
  std::int32_t memory[2] = {};
  kernel.run({address(memory)});
  EXPECT_EQ(memory[0], 1007);
  EXPECT_EQ(memory[1], 1107);
}

TEST(Scan, IsInclusiveFromEitherEnd) {
  const ir::ScalarArray zero{{i32, 0}};
  const Elements source{i32, {2, 4}, {1, 2, 3, 4, 10, 20, 30, 40}};
  EXPECT_EQ(combined(source, {1, zero, true, false}, apply(Opcode::addi)),
            Patterns({1, 3, 6, 10, 10, 30, 60, 100}));
  EXPECT_EQ(combined(source, {1, zero, true, true}, apply(Opcode::addi)),
            Patterns({10, 9, 7, 4, 100, 90, 70, 40}));
  EXPECT_EQ(combined(source, {0, zero, true, true}, apply(Opcode::addi)),
            Patterns({11, 22, 33, 44, 10, 20, 30, 40}));
  EXPECT_EQ(combined(row(i32, {1, 0, 1, 1}), {0, zero, true, false}, horner),
            Patterns({1, 2, 5, 11}));
  EXPECT_EQ(combined(row(i32, {1, 0, 1, 1}), {0, zero, true, true}, horner),
            Patterns({13, 6, 3, 1}));
}

TEST(Scan, OfMoreLanesThanAStrip) {
  const Elements source = counting({4, 512});
  const Patterns result = combined(source, {0, {{i32, 0}}, true}, apply(Opcode::addi));
  for (std::uint64_t j = 0; j < 512; ++j) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < 4; ++i) {
      sum += i * 512 + j;
      ASSERT_EQ(result[i * 512 + j], sum);
    }
  }
}

}  // namespace
}  // namespace tw::interp_test
