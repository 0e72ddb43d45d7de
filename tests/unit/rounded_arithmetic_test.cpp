// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/core/element.hpp>
#include <tilewright/core/rounded_arithmetic.hpp>

// The oracle is the hardware of a wider type, asked to round down and up: the two results bracket
// the exact one so closely that they decide every rounding of the narrow type.

namespace {

using tw::Rounding;
using tw::numeric::Arithmetic;

constexpr Rounding roundings[] = {Rounding::nearest_even, Rounding::zero, Rounding::negative_inf,
                                  Rounding::positive_inf, Rounding::nearest_away};

enum class Operation { add, sub, mul, div, fma, sqrt };
constexpr Operation operations[] = {Operation::add, Operation::sub, Operation::mul,
                                    Operation::div, Operation::fma, Operation::sqrt};

template <class T>
T computed(Operation operation, T a, T b, T c, Rounding rounding) {
  using A = Arithmetic<T>;
  switch (operation) {
    case Operation::add:
      return A::add(a, b, rounding);
    case Operation::sub:
      return A::sub(a, b, rounding);
    case Operation::mul:
      return A::mul(a, b, rounding);
    case Operation::div:
      return A::div(a, b, rounding);
    case Operation::fma:
      return A::fma(a, b, c, rounding);
    default:
      return A::sqrt(a, rounding);
  }
}

// Computes in the hardware's rounding `mode`; volatile, so that nothing moves out of it.
template <class Wide>
Wide in_mode(int mode, Operation operation, Wide a, Wide b, Wide c) {
  const volatile Wide x = a;
  const volatile Wide y = b;
  const volatile Wide z = c;
  volatile Wide result = 0;
  std::fesetround(mode);
  switch (operation) {
    case Operation::add:
      result = x + y;
      break;
    case Operation::sub:
      result = x - y;
      break;
    case Operation::mul:
      result = x * y;
      break;
    case Operation::div:
      result = x / y;
      break;
    case Operation::fma:
      result = std::fma(Wide(x), Wide(y), Wide(z));
      break;
    case Operation::sqrt:
      result = std::sqrt(Wide(x));
      break;
  }
  std::fesetround(FE_TONEAREST);
  return result;
}

// Numbers of T as long doubles, which hold all of them, and back by hand.
template <class T>
struct Format {
  static constexpr tw::FloatFormat format = tw::info(tw::element_kind(tw::dtype_of<T>)).format;
  // Numbers of T as integers that ascend with them.
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

  static T from_pattern(std::uint64_t pattern) {
    return std::bit_cast<T>(static_cast<Bits>(pattern << format.memory_shift));
  }
  static std::uint64_t pattern(T value) {
    return static_cast<std::uint64_t>(std::bit_cast<Bits>(value)) >> format.memory_shift;
  }
  static long double value(std::uint64_t pattern) {
    return static_cast<long double>(static_cast<double>(from_pattern(pattern)));
  }
  // The largest magnitude not above a nonnegative number, by bisection.
  static std::uint64_t floor(long double magnitude) {
    std::uint64_t low = 0;
    std::uint64_t high = format.max_finite() + 1;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (value(middle) <= magnitude ? low : high) = middle;
    }
    return low;
  }
  static long double after(std::uint64_t magnitude) {
    if (magnitude < format.max_finite()) return value(magnitude + 1);
    return 2 * value(magnitude) - value(magnitude - 1);
  }
};

// Rounds the positive number that lies in [below, above], neighbours of a wider type.
template <class T>
std::uint64_t rounded_magnitude(long double below, long double above, bool negative,
                                Rounding rounding) {
  using F = Format<T>;
  const std::uint64_t lower = F::floor(below);
  if (below == above && F::value(lower) == below) return lower;
  const long double middle = F::value(lower) / 2 + F::after(lower) / 2;
  const bool tie = below == middle && above == middle;
  const bool over = below >= middle && !tie;
  switch (rounding) {
    case Rounding::zero:
      return lower;
    case Rounding::negative_inf:
      return lower + negative;
    case Rounding::positive_inf:
      return lower + !negative;
    case Rounding::nearest_away:
      return lower + (over || tie);
    default:
      return lower + (over || (tie && lower % 2 != 0));
  }
}

template <class T>
std::string described(Operation operation, T a, T b, T c, Rounding rounding) {
  return testing::PrintToString(
             std::array{static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)}) +
         " operation " + std::to_string(static_cast<int>(operation)) + " rounding " +
         std::to_string(static_cast<int>(rounding));
}

template <class T>
void expect_correct(Operation operation, T a, T b, T c) {
  using F = Format<T>;
  using Wide = std::conditional_t<std::is_same_v<T, double>, long double, double>;
  const auto wide = [](T value) { return static_cast<Wide>(static_cast<double>(value)); };
  const Wide down = in_mode<Wide>(FE_DOWNWARD, operation, wide(a), wide(b), wide(c));
  const Wide up = in_mode<Wide>(FE_UPWARD, operation, wide(a), wide(b), wide(c));
  for (const Rounding rounding : roundings) {
    const std::uint64_t actual = F::pattern(computed(operation, a, b, c, rounding));
    if (std::isnan(down)) {
      ASSERT_TRUE(F::format.is_nan(actual)) << described(operation, a, b, c, rounding);
      continue;
    }
    const bool negative = std::signbit(rounding == Rounding::negative_inf ? down : up);
    std::uint64_t magnitude = F::format.infinity();
    if (std::isfinite(down) && std::isfinite(up)) {
      const long double low = negative ? -up : down;
      const long double high = negative ? -down : up;
      magnitude = rounded_magnitude<T>(low, high, negative, rounding);
    }
    ASSERT_EQ(actual, magnitude | (negative ? F::format.sign_mask() : 0))
        << described(operation, a, b, c, rounding);
  }
}

template <class T>
class RoundedArithmetic : public testing::Test {
 protected:
  using F = Format<T>;

  // Zeros, ones, the ends of the subnormals and of the range, their neighbours, infinity and NaN.
  static std::vector<T> special() {
    const std::uint64_t smallest_normal = std::uint64_t{1} << F::format.fraction_bits();
    const std::uint64_t one = static_cast<std::uint64_t>(F::format.bias)
                              << F::format.fraction_bits();
    std::vector<T> values;
    for (const std::uint64_t magnitude :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
          smallest_normal - 1, smallest_normal, smallest_normal + 1, one - 1, one, one + 1,
          one + smallest_normal / 2, one + smallest_normal, F::format.max_finite() - 1,
          F::format.max_finite(), F::format.infinity(), F::format.quiet_nan()}) {
      values.push_back(F::from_pattern(magnitude));
      values.push_back(F::from_pattern(magnitude | F::format.sign_mask()));
    }
    return values;
  }

  T any() { return F::from_pattern(random_() >> (64 - F::format.bits)); }
  // A number between 1/16 and 16, so that operands meet.
  T near_one() {
    const T value = any();
    const std::uint64_t fraction =
        F::pattern(value) & ((std::uint64_t{1} << F::format.fraction_bits()) - 1);
    const std::uint64_t field = static_cast<std::uint64_t>(F::format.bias) - 4 + random_() % 8;
    const std::uint64_t sign = random_() % 2 == 0 ? F::format.sign_mask() : 0;
    return F::from_pattern(sign | field << F::format.fraction_bits() | fraction);
  }

  std::mt19937_64 random_{11};
};

using Types = testing::Types<tw::half, tw::bf16, tw::tf32, float, double>;
TYPED_TEST_SUITE(RoundedArithmetic, Types);

TYPED_TEST(RoundedArithmetic, RoundsSpecialOperands) {
  const std::vector<TypeParam> values = this->special();
  for (const Operation operation : operations) {
    for (const TypeParam a : values) {
      for (const TypeParam b : values) {
        for (const TypeParam c : {values[0], values[1], values[5], values[16], values[27]}) {
          ASSERT_NO_FATAL_FAILURE(expect_correct(operation, a, b, c));
          if (operation != Operation::fma) break;
        }
      }
    }
  }
}

TYPED_TEST(RoundedArithmetic, RoundsAnyOperands) {
  for (const Operation operation : operations) {
    for (int i = 0; i < 5'000; ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_correct(operation, this->any(), this->any(), this->any()));
    }
  }
}

TYPED_TEST(RoundedArithmetic, RoundsOperandsOfLikeSize) {
  for (const Operation operation : operations) {
    for (int i = 0; i < 10'000; ++i) {
      ASSERT_NO_FATAL_FAILURE(
          expect_correct(operation, this->near_one(), this->near_one(), this->near_one()));
    }
  }
}

// c is -(a * b) or a neighbour of it: all but the last bits of the product cancel.
TYPED_TEST(RoundedArithmetic, FusedMultiplyAddKeepsWhatCancels) {
  using Patterns = Format<TypeParam>;
  for (int i = 0; i < 10'000; ++i) {
    const TypeParam a = this->near_one();
    const TypeParam b = this->near_one();
    const TypeParam product = Arithmetic<TypeParam>::mul(a, b);
    const TypeParam c = Patterns::from_pattern(
        (Patterns::pattern(product) + static_cast<std::uint64_t>(i % 3) - 1) ^
        Patterns::format.sign_mask());
    ASSERT_NO_FATAL_FAILURE(expect_correct(Operation::fma, a, b, c));
  }
}

TEST(RoundedArithmeticOfHalf, EveryRootIsRoundedInEveryMode) {
  for (std::uint64_t pattern = 0; pattern < 0x10000; ++pattern) {
    const tw::half value = tw::half::from_bits(static_cast<std::uint16_t>(pattern));
    ASSERT_NO_FATAL_FAILURE(expect_correct(Operation::sqrt, value, value, value));
  }
}

TEST(RoundedArithmeticOfHalf, EveryQuotientByThreeAndOfOneIsRounded) {
  for (std::uint64_t pattern = 0; pattern < 0x10000; ++pattern) {
    const tw::half value = tw::half::from_bits(static_cast<std::uint16_t>(pattern));
    ASSERT_NO_FATAL_FAILURE(expect_correct(Operation::div, value, tw::half(3), value));
    ASSERT_NO_FATAL_FAILURE(expect_correct(Operation::div, tw::half(1), value, value));
  }
}

// 9 * 29 = 261 is a tie between 260 and 262; no double holds what the addend adds to it.
TEST(RoundedArithmeticOfBf16, FusedMultiplyAddDoesNotRoundTwice) {
  using tw::bf16;
  const auto fma = [](double c) {
    return static_cast<double>(Arithmetic<bf16>::fma(bf16(9), bf16(29), bf16(c)));
  };
  EXPECT_EQ(fma(0), 260);
  EXPECT_EQ(fma(0x1p-100), 262);
  EXPECT_EQ(fma(-0x1p-100), 260);
}

TEST(RoundedArithmeticOfFloat, KnowsTheSignOfAnExactZero) {
  using A = Arithmetic<float>;
  EXPECT_FALSE(std::signbit(A::sub(1, 1)));
  EXPECT_FALSE(std::signbit(A::sub(1, 1, Rounding::positive_inf)));
  EXPECT_TRUE(std::signbit(A::sub(1, 1, Rounding::negative_inf)));
  EXPECT_TRUE(std::signbit(A::add(-0.0f, -0.0f, Rounding::positive_inf)));
  EXPECT_TRUE(std::signbit(A::fma(1, -0.0f, -0.0f, Rounding::zero)));
}

TEST(RoundedArithmeticOfFloat, OverflowFollowsTheRounding) {
  using A = Arithmetic<float>;
  constexpr float largest = std::numeric_limits<float>::max();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(A::mul(largest, 2), infinity);
  EXPECT_EQ(A::mul(largest, 2, Rounding::zero), largest);
  EXPECT_EQ(A::mul(largest, -2, Rounding::positive_inf), -largest);
  EXPECT_EQ(A::mul(largest, -2, Rounding::negative_inf), -infinity);
  EXPECT_EQ(A::add(largest, largest, Rounding::nearest_away), infinity);
}

TEST(RoundedArithmeticOfFloat, LeavesTheEnvironmentAlone) {
  const int before = std::fegetround();
  EXPECT_EQ((Arithmetic<double>::div(1, 3, Rounding::positive_inf)), 0x1.5555555555556p-2);
  EXPECT_EQ((Arithmetic<double>::div(1, 3, Rounding::negative_inf)), 0x1.5555555555555p-2);
  EXPECT_EQ(std::fegetround(), before);
}

}  // namespace
