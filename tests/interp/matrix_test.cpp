// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include <tilewright/core/float_conversion.hpp>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;
using ir::Signedness;
using Patterns = std::vector<std::uint64_t>;

Patterns random_floats(ElementKind kind, std::int64_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> distribution(-2, 2);
  Patterns result;
  for (std::int64_t k = 0; k < count; ++k) {
    result.push_back(numeric::encode(distribution(generator), kind));
  }
  return result;
}

Patterns mma(const Elements& a, const Elements& b, const Elements& c) {
  return evaluate({a, b, c}, [&](ir::Builder& builder, std::span<const Value> values) {
    return builder.simple(Opcode::mmaf, builder.type(values[2]), {values[0], values[1], values[2]});
  });
}

/// sums[i][j] after steps of ascending k that `step(a, b, sum)` takes.
template <class Sum, class Step>
std::vector<Sum> multiplied(const Elements& a, const Elements& b, std::vector<Sum> sums,
                            const Step& step) {
  const std::size_t rank = a.shape.size();
  const auto m = static_cast<std::size_t>(a.shape[rank - 2]);
  const auto depth = static_cast<std::size_t>(a.shape[rank - 1]);
  const auto n = static_cast<std::size_t>(b.shape[rank - 1]);
  for (std::size_t batch = 0; batch < a.patterns.size() / (m * depth); ++batch) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        Sum& sum = sums[(batch * m + i) * n + j];
        for (std::size_t k = 0; k < depth; ++k) {
          sum = step(numeric::decode(a.patterns[(batch * m + i) * depth + k], a.kind),
                     numeric::decode(b.patterns[(batch * depth + k) * n + j], b.kind), sum);
        }
      }
    }
  }
  return sums;
}

class MmaShapes : public ::testing::TestWithParam<std::array<std::int64_t, 3>> {};

TEST_P(MmaShapes, FusesF32StepsInAscendingOrder) {
  const auto [m, n, k] = GetParam();
  for (const ElementKind kind : {f32, tf32, bf16, f16, f8e5m2}) {
    const Elements a{kind, {m, k}, random_floats(kind, m * k, 1)};
    const Elements b{kind, {k, n}, random_floats(kind, k * n, 2)};
    const Elements c{f32, {m, n}, random_floats(f32, m * n, 3)};
    std::vector<float> sums;
    for (const std::uint64_t pattern : c.patterns) sums.push_back(as_float(pattern));
    const auto expected = multiplied(a, b, sums, [](double x, double y, float sum) {
      return std::fma(static_cast<float>(x), static_cast<float>(y), sum);
    });
    EXPECT_EQ(mma(a, b, c), all_bits(expected)) << info(kind).name;
  }
}

INSTANTIATE_TEST_SUITE_P(Tiles, MmaShapes,
                         ::testing::Values(std::array<std::int64_t, 3>{1, 1, 1},
                                           std::array<std::int64_t, 3>{2, 2, 8},
                                           std::array<std::int64_t, 3>{4, 8, 4},
                                           std::array<std::int64_t, 3>{8, 16, 2},
                                           std::array<std::int64_t, 3>{16, 32, 16},
                                           std::array<std::int64_t, 3>{64, 64, 64},
                                           std::array<std::int64_t, 3>{1, 128, 4}));

TEST(Mma, OfDoublesAndBatches) {
  const Elements a{f64, {2, 4, 8}, random_floats(f64, 64, 1)};
  const Elements b{f64, {2, 8, 16}, random_floats(f64, 256, 2)};
  const Elements c{f64, {2, 4, 16}, Patterns(128, bits(0.5))};
  const auto expected =
      multiplied(a, b, std::vector<double>(128, 0.5),
                 [](double x, double y, double sum) { return std::fma(x, y, sum); });
  EXPECT_EQ(mma(a, b, c), all_bits(expected));
}

TEST(Mma, RoundsF16SumsAtEachStep) {
  for (const ElementKind kind : {f16, f8e4m3}) {
    const Elements a{kind, {8, 16}, random_floats(kind, 128, 1)};
    const Elements b{kind, {16, 8}, random_floats(kind, 128, 2)};
    const Elements c{f16, {8, 8}, random_floats(f16, 64, 3)};
    std::vector<double> sums;
    for (const std::uint64_t pattern : c.patterns) sums.push_back(numeric::decode(pattern, f16));
    const auto expected = multiplied(a, b, sums, [](double x, double y, double sum) {
      return numeric::decode(numeric::encode(x * y + sum, f16), f16);
    });
    Patterns patterns;
    for (const double value : expected) patterns.push_back(numeric::encode(value, f16));
    EXPECT_EQ(mma(a, b, c), patterns);
  }
}

TEST(Mma, OverflowsAsItsAccumulatorDoes) {
  // 256 * 256 = 65536 is beyond f16; the subtraction afterwards does not bring it back.
  EXPECT_EQ(
      mma({f16, {1, 2}, {0x5c00, 0x5c00}}, {f16, {2, 1}, {0x5c00, 0xdc00}}, {f16, {1, 1}, {0}}),
      Patterns({0x7c00}));
  EXPECT_EQ(
      mma({f16, {1, 2}, {0x5c00, 0x5c00}}, {f16, {2, 1}, {0x5c00, 0xdc00}}, {f32, {1, 1}, {0}}),
      Patterns({0}));
}

TEST(Mma, OfTheSameTileThreeTimes) {
  // The accumulator may not be updated in place: it is a factor as well.
  const Elements a{f32, {2, 2}, all_bits<float>({1, 2, 3, 4})};
  EXPECT_EQ(evaluate({a},
                     [](ir::Builder& builder, std::span<const Value> values) {
                       const Value x = builder.append(OpDraft(Opcode::negf).operand(values[0]),
                                                      {builder.type(values[0])});
                       return builder.simple(Opcode::mmaf, builder.type(x), {x, x, x});
                     }),
            all_bits<float>({7 - 1, 10 - 2, 15 - 3, 22 - 4}));
}

TEST(MmaInteger, ReadsEachSideWithItsSign) {
  const Elements a{i8, {1, 2}, {0xff, 0x80}};
  const Elements b{i8, {2, 1}, {0x02, 0xff}};
  const auto product = [&](Signedness left, Signedness right) {
    return evaluate({a, b, {i32, {1, 1}, {10}}},
                    [&](ir::Builder& builder, std::span<const Value> values) {
                      return builder.append(OpDraft(Opcode::mmai)
                                                .operand(values[0])
                                                .operand(values[1])
                                                .operand(values[2])
                                                .set(AttributeName::signedness_lhs, left)
                                                .set(AttributeName::signedness_rhs, right),
                                            {builder.type(values[2])});
                    })[0];
  };
  using enum Signedness;
  EXPECT_EQ(product(signed_, signed_), 10u - 2 + 128);
  EXPECT_EQ(product(signed_, unsigned_), static_cast<std::uint32_t>(10 - 2 - 128 * 255));
  EXPECT_EQ(product(unsigned_, signed_), 10u + 510 - 128);
  EXPECT_EQ(product(unsigned_, unsigned_), 10u + 510 + 128 * 255);
}

Patterns scaled(const std::vector<Elements>& operands) {
  return evaluate(operands, [](ir::Builder& builder, std::span<const Value> values) {
    return builder.simple(Opcode::mmaf_scaled, builder.type(values[2]),
                          {values[0], values[1], values[2], values[3], values[4]});
  });
}

TEST(MmaScaled, ScalesBlocksOfK) {
  // Two blocks of 32 ones, scaled by 2 * 1 and 1/2 * 8 (f8E8M0: 127 is one).
  const Elements ones{f8e4m3, {1, 64}, Patterns(64, 0x38)};
  const Elements column{f8e4m3, {64, 1}, Patterns(64, 0x38)};
  EXPECT_EQ(scaled({ones,
                    column,
                    {f32, {1, 1}, {bits(5.0f)}},
                    {f8e8m0, {1, 2}, {128, 126}},
                    {f8e8m0, {2, 1}, {127, 130}}}),
            Patterns({bits(5.0f + 32 * 2 + 32 * 4)}));
}

TEST(MmaScaled, KeepsProductsBeyondTheRangeOfF32) {
  // 2^127 * 2 times 2^-127 / 2 overflows if the left side is scaled as an f32.
  const Elements two{f8e5m2, {1, 32}, Patterns(32, 0x40)};
  const Elements half{f8e5m2, {32, 1}, Patterns(32, 0x38)};
  EXPECT_EQ(scaled({two, half, {f32, {1, 1}, {0}}, {f8e8m0, {1, 1}, {254}}, {f8e8m0, {1, 1}, {0}}}),
            Patterns({bits(32.0f)}));
}

TEST(MmaScaled, RoundsEachStepOnce) {
  // With scales of 2^-12 on both sides each of 32 products is 2^-24, half a step above 1: a tie
  // that goes to 1 every time.
  const Elements ones{f8e4m3, {1, 32}, Patterns(32, 0x38)};
  const Elements column{f8e4m3, {32, 1}, Patterns(32, 0x38)};
  EXPECT_EQ(scaled({ones,
                    column,
                    {f32, {1, 1}, {bits(1.0f)}},
                    {f8e8m0, {1, 1}, {115}},
                    {f8e8m0, {1, 1}, {115}}}),
            Patterns({bits(1.0f)}));
  // From 1 + 2^-23 the first tie goes up to the even neighbour, and stays there.
  const float odd = 1 + 0x1p-23f;
  EXPECT_EQ(scaled({ones,
                    column,
                    {f32, {1, 1}, {bits(odd)}},
                    {f8e8m0, {1, 1}, {115}},
                    {f8e8m0, {1, 1}, {115}}}),
            Patterns({bits(1 + 0x1p-22f)}));
}

TEST(MmaScaled, TakesFourBitFactors) {
  const Elements a{f4e2m1, {2, 32}, Patterns(64, 0x2)};  // 1
  const Elements b{f4e2m1, {32, 2}, Patterns(64, 0xb)};  // -1.5
  EXPECT_EQ(scaled({a,
                    b,
                    {f32, {2, 2}, Patterns(4, 0)},
                    {f8e4m3, {2, 2}, Patterns(4, 0x3c)},
                    {f8e4m3, {2, 2}, Patterns(4, 0x40)}}),
            Patterns(4, bits(-1.5f * 32 * 1.5f * 2)));
}

}  // namespace
}  // namespace tw::interp_test
