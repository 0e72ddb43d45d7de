// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tilewright/ir/enums.hpp>
#include <tilewright/passes/range.hpp>

namespace {

using tw::ir::ComparisonPredicate;
using tw::ir::RoundingMode;
using tw::passes::Range;
using tw::passes::RangeCode;
using tw::passes::RangeNode;

Range of(std::int64_t low, std::int64_t high, std::uint8_t zeros = 0) { return {low, high, zeros}; }

RangeNode node(RangeCode code, std::uint8_t width = 32) { return {.code = code, .width = width}; }

Range apply(const RangeNode& n, const Range& a, const Range& b = of(0, 0),
            const Range& c = of(0, 0)) {
  return tw::passes::step(n, a, b, c);
}

TEST(Range, SumsAddTheirEnds) {
  EXPECT_EQ(apply(node(RangeCode::add), of(1, 5), of(10, 20)), of(11, 25));
}

TEST(Range, SumsThatMayWrapAreAnything) {
  EXPECT_EQ(apply(node(RangeCode::add), of(0, 2147483647), of(0, 1)), tw::passes::full_range(32));
  EXPECT_EQ(apply(node(RangeCode::add, 64), of(0, 2147483647), of(0, 1)), of(0, 2147483648));
}

TEST(Range, ExactSumsWrapExactly) {
  EXPECT_EQ(apply(node(RangeCode::add), of(2147483647, 2147483647), of(1, 1)),
            of(-2147483648, -2147483648));
}

TEST(Range, ProductsKnowTheirDivisor) {
  const Range rows = apply(node(RangeCode::multiply), of(0, 3), of(128, 128));
  EXPECT_EQ(rows, of(0, 384, 7));
}

TEST(Range, DivisibilityRoundsTheEnds) {
  RangeNode aligned = node(RangeCode::aligned);
  aligned.detail = 4;
  EXPECT_EQ(apply(aligned, of(1, 100)), of(16, 96, 4));
}

TEST(Range, DivisibilitySurvivesWrapping) {
  const Range any = tw::passes::full_range(32);
  EXPECT_EQ(apply(node(RangeCode::multiply), any, of(16, 16)), of(-2147483648, 2147483632, 4));
}

TEST(Range, CeilingQuotients) {
  RangeNode divide = node(RangeCode::divide);
  divide.detail = static_cast<std::uint8_t>(RoundingMode::positive_inf);
  EXPECT_EQ(apply(divide, of(1, 100), of(32, 32)), of(1, 4));
}

TEST(Range, RemaindersLieBelowTheDivisor) {
  EXPECT_EQ(apply(node(RangeCode::remainder), of(0, 1000), of(7, 9)), of(0, 8));
  EXPECT_EQ(apply(node(RangeCode::remainder), of(-1000, 1000), of(8, 8)), of(-7, 7));
  EXPECT_EQ(apply(node(RangeCode::remainder), of(0, 3), of(8, 8)), of(0, 3));
}

TEST(Range, CountersStopAtTheLastStep) {
  EXPECT_EQ(apply(node(RangeCode::counting), of(0, 0), of(100, 100), of(32, 32)), of(0, 96, 5));
  EXPECT_EQ(apply(node(RangeCode::counting), of(2, 2), of(10, 10), of(3, 3)), of(2, 8));
}

TEST(Range, LoopsThatNeverRunHaveNoIndex) {
  const Range index = apply(node(RangeCode::counting), of(0, 0), of(0, 0), of(1, 1));
  EXPECT_TRUE(index.empty());
  EXPECT_TRUE(apply(node(RangeCode::add), index, of(1, 1)).empty());
}

TEST(Range, UnsignedComparisonSeesNegativesAsLarge) {
  RangeNode below = node(RangeCode::compare, 1);
  below.is_signed = false;
  below.detail = static_cast<std::uint8_t>(ComparisonPredicate::less_than);
  EXPECT_EQ(apply(below, of(-5, -1), of(0, 10)), of(0, 0));
  EXPECT_EQ(apply(below, of(0, 9), of(10, 12)), of(1, 1));
  EXPECT_EQ(apply(below, of(-1, 9), of(10, 12)), of(0, 1));
}

// Soundness: whatever the operands are, the result of one step lies in the range it gives.

/// The value of a step at one point, in arithmetic modulo 2^width; nothing where it is undefined.
std::optional<std::int64_t> evaluate(const RangeNode& n, std::int64_t a, std::int64_t b,
                                     std::int64_t c) {
  using Wide = std::uint64_t;
  const auto wrap = [&](Wide bits) {
    const int unused = 64 - n.width;
    return static_cast<std::int64_t>(bits << unused) >> unused;
  };
  const auto natural = [&](std::int64_t x) {
    return static_cast<Wide>(x) & (~Wide{0} >> (64 - n.width));
  };
  const Wide ua = natural(a);
  const Wide ub = natural(b);
  const bool less = n.is_signed ? a < b : ua < ub;
  const bool overflows = n.is_signed && b == -1 && a == tw::passes::lowest(n.width);
  switch (n.code) {
    case RangeCode::add:
      return wrap(static_cast<Wide>(a) + static_cast<Wide>(b));
    case RangeCode::subtract:
      return wrap(static_cast<Wide>(a) - static_cast<Wide>(b));
    case RangeCode::multiply:
      return wrap(static_cast<Wide>(a) * static_cast<Wide>(b));
    case RangeCode::divide: {
      if (b == 0) return 0;
      if (overflows) return std::nullopt;
      if (!n.is_signed) {
        const bool up = n.detail == static_cast<std::uint8_t>(RoundingMode::positive_inf);
        return wrap(ua / ub + (up && ua % ub != 0));
      }
      const std::int64_t rest = a % b;
      const bool negative = (a < 0) != (b < 0);
      if (n.detail == static_cast<std::uint8_t>(RoundingMode::negative_inf) && rest != 0 &&
          negative)
        return a / b - 1;
      if (n.detail == static_cast<std::uint8_t>(RoundingMode::positive_inf) && rest != 0 &&
          !negative)
        return a / b + 1;
      return a / b;
    }
    case RangeCode::remainder:
      if (b == 0) return a;
      if (overflows) return 0;
      return n.is_signed ? a % b : wrap(ua % ub);
    case RangeCode::minimum:
      return less ? a : b;
    case RangeCode::maximum:
      return less ? b : a;
    case RangeCode::absolute:
      return wrap(a < 0 ? Wide{0} - static_cast<Wide>(a) : static_cast<Wide>(a));
    case RangeCode::negate:
      return wrap(Wide{0} - static_cast<Wide>(a));
    case RangeCode::shift_left:
      if (ub >= n.width) return std::nullopt;
      return wrap(static_cast<Wide>(a) << ub);
    case RangeCode::shift_right:
      if (ub >= n.width) return std::nullopt;
      return n.is_signed ? a >> ub : wrap(ua >> ub);
    case RangeCode::bit_and:
      return a & b;
    case RangeCode::bit_or:
      return a | b;
    case RangeCode::bit_xor:
      return a ^ b;
    case RangeCode::truncate:
      return wrap(static_cast<Wide>(a));
    case RangeCode::choose:
      return a != 0 ? b : c;
    default:
      return std::nullopt;
  }
}

constexpr std::array checked_codes{
    RangeCode::add,       RangeCode::subtract,   RangeCode::multiply,    RangeCode::divide,
    RangeCode::remainder, RangeCode::minimum,    RangeCode::maximum,     RangeCode::absolute,
    RangeCode::negate,    RangeCode::shift_left, RangeCode::shift_right, RangeCode::bit_and,
    RangeCode::bit_or,    RangeCode::bit_xor,    RangeCode::truncate,    RangeCode::choose,
};

/// Numbers near the places where something happens: zero, small, the ends of the width.
rc::Gen<std::int64_t> number(std::uint8_t width) {
  const std::int64_t low = tw::passes::lowest(width);
  const std::int64_t high = tw::passes::highest(width);
  return rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(-4, 5), rc::gen::inRange<std::int64_t>(-100, 101),
      rc::gen::inRange<std::int64_t>(high - 3, high), rc::gen::inRange<std::int64_t>(low, low + 4),
      rc::gen::inRange<std::int64_t>(low, high));
}

/// A range, and a number in it.
struct Sample {
  Range range;
  std::int64_t value;
};
Sample sample(std::uint8_t width) {
  const auto x = *number(width);
  const auto y = *number(width);
  Range range = of(std::min(x, y), std::max(x, y));
  std::int64_t value = *rc::gen::element(x, y);
  if (!range.exact() && *rc::gen::arbitrary<bool>()) {
    // The ends stay multiples of what the range claims.
    const auto zeros = *rc::gen::inRange<std::uint8_t>(1, 4);
    const std::int64_t unit = std::int64_t{1} << zeros;
    range = of(x & -unit, x & -unit, 0);
    const std::int64_t other = y & -unit;
    range = of(std::min(range.low, other), std::max(range.low, other), zeros);
    if (range.exact()) range.zeros = 0;
    value = value & -unit;
  }
  return {range, value};
}

RC_GTEST_PROP(Range, StepsContainWhatTheyCompute, ()) {
  RangeNode n;
  n.code = *rc::gen::elementOf(checked_codes);
  n.width = *rc::gen::element<std::uint8_t>(8, 16, 32, 64);
  n.is_signed = *rc::gen::arbitrary<bool>();
  if (n.code == RangeCode::divide) {
    n.detail = static_cast<std::uint8_t>(*rc::gen::element(
        RoundingMode::zero, RoundingMode::negative_inf, RoundingMode::positive_inf));
    if (!n.is_signed) RC_PRE(n.detail != static_cast<std::uint8_t>(RoundingMode::negative_inf));
  }
  const std::uint8_t from = n.code == RangeCode::truncate ? std::uint8_t{64} : n.width;
  const Sample a = n.code == RangeCode::choose
                       ? Sample{of(0, 1), *rc::gen::inRange<std::int64_t>(0, 2)}
                       : sample(from);
  const Sample b = sample(n.width);
  const Sample c = sample(n.width);
  const auto value = evaluate(n, a.value, b.value, c.value);
  RC_PRE(value.has_value());
  const Range range = tw::passes::step(n, a.range, b.range, c.range);
  RC_ASSERT(range.contains(*value));
  if (range.exact()) return;
  const std::uint64_t low_bits = (std::uint64_t{1} << range.zeros) - 1;
  RC_ASSERT((static_cast<std::uint64_t>(*value) & low_bits) == 0u);
}

RC_GTEST_PROP(Range, ComparisonsAreRightWhereTheyAreDecided, ()) {
  RangeNode n{.code = RangeCode::compare, .width = 1};
  n.is_signed = *rc::gen::arbitrary<bool>();
  n.detail = *rc::gen::inRange<std::uint8_t>(0, 6);
  const Sample a = sample(32);
  const Sample b = sample(32);
  const Range range = tw::passes::step(n, a.range, b.range, of(0, 0));
  const auto key = [&](std::int64_t x) {
    return n.is_signed ? x : static_cast<std::int64_t>(static_cast<std::uint32_t>(x));
  };
  const std::int64_t x = key(a.value);
  const std::int64_t y = key(b.value);
  const std::array answers{x == y, x != y, x<y, x <= y, x> y, x >= y};
  RC_ASSERT(range.contains(answers[n.detail]));
}

RC_GTEST_PROP(Range, CountersContainEveryIndex, ()) {
  RangeNode n{.code = RangeCode::counting, .width = 32};
  n.is_signed = *rc::gen::arbitrary<bool>();
  const auto small = [] { return *rc::gen::inRange<std::int64_t>(0, 200); };
  const auto around = [&](std::int64_t x) {
    return of(x - std::min<std::int64_t>(x, *rc::gen::inRange<std::int64_t>(0, 3)),
              x + *rc::gen::inRange<std::int64_t>(0, 3));
  };
  const std::int64_t from = small();
  const std::int64_t to = small();
  const std::int64_t by = *rc::gen::inRange<std::int64_t>(1, 40);
  const Range range =
      tw::passes::step(n, around(from), around(to), *rc::gen::element(of(by, by), of(1, by)));
  for (std::int64_t i = from; i < to; i += by) RC_ASSERT(range.contains(i));
}

}  // namespace
