// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"
#include "tests/unit/reference_float.hpp"

namespace tw::interp_test {
namespace {

using ir::RoundingMode;
using testing::ReferenceFloat;
using Patterns = std::vector<std::uint64_t>;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float smallest = std::numeric_limits<float>::denorm_min();
constexpr float smallest_normal = std::numeric_limits<float>::min();
constexpr float largest = std::numeric_limits<float>::max();

struct Options {
  RoundingMode rounding = RoundingMode::nearest_even;
  bool flush_to_zero = false;
  bool propagate_nan = false;
};

Patterns arithmetic(Opcode code, const std::vector<Elements>& operands, Options options = {}) {
  return evaluate(operands, [&](ir::Builder& builder, std::span<const Value> values) {
    OpDraft draft(code);
    for (const Value value : values) draft.operand(value);
    const auto& row = ir::row(code);
    const auto set = [&](AttributeName name, std::int64_t value) {
      if (ir::attribute_index(row, name) >= 0) draft.set(name, ir::Attribute(value));
    };
    set(AttributeName::rounding, static_cast<std::int64_t>(options.rounding));
    if (options.flush_to_zero) set(AttributeName::flush_to_zero, 1);
    if (options.propagate_nan) set(AttributeName::propagate_nan, 1);
    return builder.append(draft, {builder.type(values[0])});
  });
}

std::vector<float> f32_arithmetic(Opcode code, const std::vector<std::vector<float>>& operands,
                                  Options options = {}) {
  std::vector<Elements> elements;
  for (const auto& operand : operands) elements.push_back(f32s(operand));
  std::vector<float> result;
  for (const std::uint64_t pattern : arithmetic(code, elements, options)) {
    result.push_back(as_float(pattern));
  }
  return result;
}

/// Compares bit for bit, but any NaN equals any other.
void expect_same(const std::vector<float>& actual, const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k) {
    if (std::isnan(expected[k])) {
      EXPECT_TRUE(std::isnan(actual[k])) << "element " << k;
    } else {
      EXPECT_EQ(bits(actual[k]), bits(expected[k]))
          << "element " << k << ": " << actual[k] << " instead of " << expected[k];
    }
  }
}

TEST(FloatOps, FollowIeee754) {
  expect_same(f32_arithmetic(Opcode::addf, {{1, 0.0f, inf, largest}, {2, -0.0f, -inf, largest}}),
              {3, 0.0f, nan, inf});
  expect_same(f32_arithmetic(Opcode::subf, {{1, 0.0f, -0.0f, nan}, {1, 0.0f, 0.0f, 1}}),
              {0.0f, 0.0f, -0.0f, nan});
  expect_same(f32_arithmetic(Opcode::mulf, {{-0.0f, inf, smallest, 3}, {5, 0, 0.5f, -0.5f}}),
              {-0.0f, nan, 0.0f, -1.5f});
  expect_same(f32_arithmetic(Opcode::divf, {{1, -1, 0, 1}, {0, 0, 0, 3}}),
              {inf, -inf, nan, 0x1.555556p-2f});
  expect_same(f32_arithmetic(Opcode::sqrt, {{2, -1, -0.0f, inf}}),
              {0x1.6a09e6p+0f, nan, -0.0f, inf});
  expect_same(f32_arithmetic(Opcode::negf, {{1, 0.0f, -inf, nan}}), {-1, -0.0f, inf, nan});
  expect_same(f32_arithmetic(Opcode::absf, {{-1, -0.0f, -inf, nan}}), {1, 0.0f, inf, nan});
  expect_same(f32_arithmetic(Opcode::ceil, {{-0.5f, 1.25f, 8388609.0f, -inf}}),
              {-0.0f, 2, 8388609.0f, -inf});
  expect_same(f32_arithmetic(Opcode::floor, {{-0.5f, 1.75f, -8388609.0f, inf}}),
              {-1, 1, -8388609.0f, inf});
}

TEST(FloatOps, FmaRoundsOnce) {
  // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46, which a rounded product loses.
  const float a = 1 + 0x1p-23f;
  const float c = -(1 + 0x1p-22f);
  expect_same(f32_arithmetic(Opcode::fma, {{a, inf}, {a, 0}, {c, 1}}), {0x1p-46f, nan});
}

TEST(FloatOps, RoundInTheModeAskedFor) {
  const auto sum = [](RoundingMode rounding) {
    return f32_arithmetic(Opcode::addf, {{1, -1, largest, -largest}, {0x1p-30f, -0x1p-30f, 1, -1}},
                          {.rounding = rounding});
  };
  const float up = 1 + 0x1p-23f;
  expect_same(sum(RoundingMode::nearest_even), {1, -1, largest, -largest});
  expect_same(sum(RoundingMode::zero), {1, -1, largest, -largest});
  expect_same(sum(RoundingMode::positive_inf), {up, -1, inf, -largest});
  expect_same(sum(RoundingMode::negative_inf), {1, -up, largest, -inf});

  const auto third = [](RoundingMode rounding) {
    return f32_arithmetic(Opcode::divf, {{1, -1}, {3, 3}}, {.rounding = rounding});
  };
  expect_same(third(RoundingMode::zero), {0x1.555554p-2f, -0x1.555554p-2f});
  expect_same(third(RoundingMode::positive_inf), {0x1.555556p-2f, -0x1.555554p-2f});
  expect_same(third(RoundingMode::approx), third(RoundingMode::nearest_even));
  expect_same(third(RoundingMode::full), third(RoundingMode::nearest_even));
  expect_same(f32_arithmetic(Opcode::sqrt, {{2, 4}}, {.rounding = RoundingMode::positive_inf}),
              {0x1.6a09e8p+0f, 2});
  expect_same(f32_arithmetic(Opcode::fma, {{1, 1}, {1, -1}, {0x1p-30f, -0x1p-30f}},
                             {.rounding = RoundingMode::positive_inf}),
              {up, -1});
  EXPECT_EQ(arithmetic(Opcode::mulf, {f64s({1 + 0x1p-52}), f64s({1 + 0x1p-52})},
                       {.rounding = RoundingMode::positive_inf}),
            Patterns({bits(1 + 0x1p-51 + 0x1p-52)}));
}

TEST(FloatOps, FlushSubnormalsToZerosOfTheirSign) {
  const Options flush{.flush_to_zero = true};
  expect_same(f32_arithmetic(Opcode::addf,
                             {{smallest, -smallest, smallest_normal, 1},
                              {smallest_normal, -smallest, -smallest, 2}},
                             flush),
              {smallest_normal, -0.0f, smallest_normal, 3});
  expect_same(
      f32_arithmetic(Opcode::mulf, {{smallest_normal, -smallest_normal}, {0.5f, 0.5f}}, flush),
      {0.0f, -0.0f});
  expect_same(f32_arithmetic(Opcode::subf, {{smallest, 3}, {0, 1}},
                             {.rounding = RoundingMode::zero, .flush_to_zero = true}),
              {0.0f, 2});
  expect_same(f32_arithmetic(Opcode::maxf, {{smallest, -smallest}, {-1, -1}}, flush),
              {0.0f, -0.0f});
  expect_same(f32_arithmetic(Opcode::sqrt, {{smallest, 4}}, flush), {0, 2});
  expect_same(f32_arithmetic(Opcode::exp2, {{-130, -smallest, 3, -126}}, flush),
              {0, 1, 8, smallest_normal});
  expect_same(f32_arithmetic(Opcode::rsqrt, {{smallest, 4}}, flush), {inf, 0.5f});
}

TEST(FloatOps, ExtremaOrderZerosAndIgnoreOrPropagateNan) {
  const std::vector<float> a{0.0f, -0.0f, nan, 1, nan, -inf, 2, -3};
  const std::vector<float> b{-0.0f, 0.0f, 1, nan, nan, inf, 2, 3};
  expect_same(f32_arithmetic(Opcode::maxf, {a, b}), {0.0f, 0.0f, 1, 1, nan, inf, 2, 3});
  expect_same(f32_arithmetic(Opcode::minf, {a, b}), {-0.0f, -0.0f, 1, 1, nan, -inf, 2, -3});
  const Options propagate{.propagate_nan = true};
  expect_same(f32_arithmetic(Opcode::maxf, {a, b}, propagate),
              {0.0f, 0.0f, nan, nan, nan, inf, 2, 3});
  expect_same(f32_arithmetic(Opcode::minf, {a, b}, propagate),
              {-0.0f, -0.0f, nan, nan, nan, -inf, 2, -3});
  // The same in the narrow formats: 0x7e00 is a NaN of f16, 0x7fc0 of bf16.
  EXPECT_EQ(arithmetic(Opcode::maxf, {row(ElementKind::f16, {0x8000, 0x7e00}),
                                      row(ElementKind::f16, {0x0000, 0x3c00})}),
            Patterns({0x0000, 0x3c00}));
  EXPECT_EQ(arithmetic(Opcode::minf, {row(ElementKind::bf16, {0x0000, 0x7fc0}),
                                      row(ElementKind::bf16, {0x8000, 0x3f80})}),
            Patterns({0x8000, 0x3f80}));
}

class NarrowArithmetic : public ::testing::TestWithParam<testing::PublishedFormat> {
 protected:
  /// Pairs each pattern of the format with another one, all over the range.
  static std::pair<Patterns, Patterns> pairs(std::uint64_t seed) {
    std::pair<Patterns, Patterns> result;
    for (std::uint64_t a = 0; a < 65536; ++a) {
      result.first.push_back(a);
      result.second.push_back((a * 40503 + seed * 12289 + (a >> 7)) & 0xffff);
    }
    return result;
  }

  void expect_rounded(std::uint64_t actual, long double exact, RoundingMode rounding,
                      const std::vector<std::uint64_t>& operands) {
    if (std::isnan(exact)) {
      ASSERT_TRUE(info(kind()).format.is_nan(actual)) << ::testing::PrintToString(operands);
    } else if (std::isinf(exact)) {
      ASSERT_EQ(actual, info(kind()).format.infinity() | (exact < 0 ? 0x8000u : 0u))
          << ::testing::PrintToString(operands);
    } else {
      ASSERT_EQ(actual, reference_.encode(exact, static_cast<Rounding>(rounding),
                                          numeric::Overflow::special))
          << ::testing::PrintToString(operands);
    }
  }

  [[nodiscard]] ElementKind kind() const { return GetParam().kind; }
  ReferenceFloat reference_{GetParam()};
};

TEST_P(NarrowArithmetic, RoundsTheExactResultOnce) {
  for (const auto rounding : {RoundingMode::nearest_even, RoundingMode::zero,
                              RoundingMode::negative_inf, RoundingMode::positive_inf}) {
    const auto [a, b] = pairs(static_cast<std::uint64_t>(rounding));
    const std::vector<Elements> operands{row(kind(), a), row(kind(), b)};
    const Options options{.rounding = rounding};
    const Patterns products = arithmetic(Opcode::mulf, operands, options);
    const Patterns quotients = arithmetic(Opcode::divf, operands, options);
    for (std::size_t k = 0; k < a.size(); ++k) {
      const long double x = reference_.decode(a[k]);
      const long double y = reference_.decode(b[k]);
      expect_rounded(products[k], x * y, rounding, {a[k], b[k]});
      expect_rounded(quotients[k], x / y, rounding, {a[k], b[k]});
    }
  }
}

TEST_P(NarrowArithmetic, AddsExactly) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto [a, b] = pairs(seed);
    const Patterns sums = arithmetic(Opcode::addf, {row(kind(), a), row(kind(), b)});
    for (std::size_t k = 0; k < a.size(); ++k) {
      expect_rounded(sums[k],
                     static_cast<long double>(reference_.decode(a[k])) + reference_.decode(b[k]),
                     RoundingMode::nearest_even, {a[k], b[k]});
    }
  }
}

TEST_P(NarrowArithmetic, UnaryOpsOfAllPatterns) {
  const auto [all, other] = pairs(0);
  const std::vector<Elements> operand{row(kind(), all)};
  const Patterns roots = arithmetic(Opcode::sqrt, operand);
  const Patterns floors = arithmetic(Opcode::floor, operand);
  const Patterns negated = arithmetic(Opcode::negf, operand);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const long double x = reference_.decode(all[k]);
    expect_rounded(roots[k], std::sqrt(x), RoundingMode::nearest_even, {all[k]});
    expect_rounded(floors[k], std::floor(x), RoundingMode::nearest_even, {all[k]});
    EXPECT_EQ(negated[k], all[k] ^ 0x8000);
  }
}

TEST_P(NarrowArithmetic, FusesWithOneRounding) {
  const auto [a, b] = pairs(5);
  const auto [unused, c] = pairs(9);
  const Patterns results =
      arithmetic(Opcode::fma, {row(kind(), a), row(kind(), b), row(kind(), c)});
  for (std::size_t k = 0; k < a.size(); ++k) {
    const long double product =
        static_cast<long double>(reference_.decode(a[k])) * reference_.decode(b[k]);
    const long double addend = reference_.decode(c[k]);
    // A long double holds the sum of neighbours exactly; of numbers far apart the larger decides,
    // unless it lies on a tie.
    const long double ratio = std::fabs(product / addend);
    if (!(ratio > 0x1p-40L && ratio < 0x1p40L)) continue;
    expect_rounded(results[k], product + addend, RoundingMode::nearest_even, {a[k], b[k], c[k]});
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, NarrowArithmetic,
                         ::testing::Values(testing::published_formats[0],
                                           testing::published_formats[1]));

TEST(FloatOps, Bf16FmaSeesBehindADouble) {
  // 1.0625^2 = 1 + 2^-3 + 2^-8 lies halfway between two bf16; the tiny addend decides.
  const std::uint64_t factor = 0x3f88;  // 1.0625
  const std::uint64_t tiny = 0x0080;    // 2^-126
  EXPECT_EQ(arithmetic(Opcode::fma, {row(ElementKind::bf16, {factor, factor, factor}),
                                     row(ElementKind::bf16, {factor, factor, factor}),
                                     row(ElementKind::bf16, {tiny, 0x8000 | tiny, 0})}),
            Patterns({0x3f91, 0x3f90, 0x3f90}));
}

}  // namespace
}  // namespace tw::interp_test
