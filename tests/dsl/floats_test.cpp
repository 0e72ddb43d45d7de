// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/tilewright.hpp>

#include "pairs.hpp"

/// Floating-point operations of the language, for every type that computes.
namespace tw::tests {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
T rounded(double number) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number);
  } else {
    return T(number);
  }
}

/// The same number: NaN is itself, and the zeros differ.
template <class T>
testing::AssertionResult same(T got, double want) {
  const auto number = static_cast<double>(got);
  if (std::isnan(want) && std::isnan(number)) return testing::AssertionSuccess();
  if (number == want && std::signbit(number) == std::signbit(want)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << number << " is not " << want;
}

/// Within two units in the last place.
template <class T>
testing::AssertionResult close(T got, double want) {
  const auto number = static_cast<double>(got);
  const double exact = static_cast<double>(rounded<T>(want));
  const double unit = std::ldexp(1, 2 - info(element_kind(dtype_of<T>)).format.precision);
  if (same(got, exact) || std::abs(number - exact) <= unit * std::abs(exact)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << number << " is not near " << want;
}

template <class T>
std::vector<T> numbers() {
  std::vector<T> result;
  for (const double number :
       {0.0, -0.0, 1., -1., 0.5, 3., -7., 10., 0.1, infinity, -infinity, not_a_number}) {
    result.push_back(rounded<T>(number));
  }
  return result;
}

template <class T>
class FloatsTest : public PairsTest<T> {
 protected:
  FloatsTest() : PairsTest<T>(numbers<T>()) {}
};
using Floats = testing::Types<half, bf16, float, double>;
TYPED_TEST_SUITE(FloatsTest, Floats);

enum class Op {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  least,
  greatest,
  strict_least,
  strict_greatest,
  count
};

template <class T>
void compute(Out<T, dyn> z, In1<T> x, In1<T> y, Op op) {
  auto a = x.load_like(z);
  auto b = y.load_like(z);
  switch (op) {
    case Op::add:
      return z.store(a + b);
    case Op::subtract:
      return z.store(a - b);
    case Op::multiply:
      return z.store(a * b);
    case Op::divide:
      return z.store(a / b);
    case Op::remainder:
      return z.store(a % b);
    case Op::least:
      return z.store(min(a, b));
    case Op::greatest:
      return z.store(max(a, b));
    case Op::strict_least:
      return z.store(min(a, b, {.propagate_nan = true}));
    default:
      return z.store(max(a, b, {.propagate_nan = true}));
  }
}

/// In double, which holds the sum and product of two narrower numbers exactly or nearly enough to
/// round them once more without harm.
double expected(Op op, double a, double b) {
  const bool lost = std::isnan(a) || std::isnan(b);
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::remainder:
      return std::fmod(a, b);
    case Op::least:
      return std::fmin(a, b);
    case Op::greatest:
      return std::fmax(a, b);
    case Op::strict_least:
      return lost ? not_a_number : std::fmin(a, b);
    default:
      return lost ? not_a_number : std::fmax(a, b);
  }
}

TYPED_TEST(FloatsTest, BinaryOperationsRoundOnce) {
  using T = TypeParam;
  const auto x = from_host<T>(this->left_);
  const auto y = from_host<T>(this->right_);
  for (int each = 0; each < static_cast<int>(Op::count); ++each) {
    const Op op = static_cast<Op>(each);
    const std::vector<T> got =
        to_host(launch<compute<T>>(empty<T>(this->size()).partition({20}), x, y, op).sync().join());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto a = static_cast<double>(this->left_[i]);
      const auto b = static_cast<double>(this->right_[i]);
      const bool either_zero = op >= Op::least && a == 0 && b == 0;  // which one is left open
      if (either_zero) {
        ASSERT_EQ(static_cast<double>(got[i]), 0);
        continue;
      }
      ASSERT_TRUE(same(got[i], static_cast<double>(rounded<T>(expected(op, a, b)))))
          << "operation " << each << " of " << a << " and " << b;
    }
  }
}

template <class T>
void compare_all(Out<int, dyn> z, In1<T> x, In1<T> y) {
  auto a = x.load_like(z);
  auto b = y.load_like(z);
  auto bit = [](auto holds, int place) { return as<int>(holds) << place; };
  z.store(bit(a == b, 0) | bit(a != b, 1) | bit(a < b, 2) | bit(a <= b, 3) | bit(a > b, 4) |
          bit(a >= b, 5) | bit(isnan(a), 6));
}

// Comparisons with NaN are false, but for != .
TYPED_TEST(FloatsTest, ComparisonsKnowNotANumber) {
  using T = TypeParam;
  const std::vector<int> got =
      to_host(launch<compare_all<T>>(empty<int>(this->size()).partition({20}),
                                     from_host<T>(this->left_), from_host<T>(this->right_))
                  .sync()
                  .join());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto a = static_cast<double>(this->left_[i]);
    const auto b = static_cast<double>(this->right_[i]);
    const int want = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 |
                     (a >= b) << 5 | std::isnan(a) << 6;
    ASSERT_EQ(got[i], want) << a << " and " << b;
  }
}

struct Function {
  const char* name;
  double (*host)(double);
};
const Function functions[] = {
    {"abs", std::fabs},  {"negate", [](double x) { return -x; }},
    {"ceil", std::ceil}, {"floor", std::floor},
    {"exp", std::exp},   {"exp2", std::exp2},
    {"log", std::log},   {"log2", std::log2},
    {"sqrt", std::sqrt}, {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"sin", std::sin},   {"cos", std::cos},
    {"tan", std::tan},   {"sinh", std::sinh},
    {"cosh", std::cosh}, {"tanh", std::tanh},
};

template <class T>
void transform(Out<T, dyn> z, In1<T> x, int which) {
  auto a = x.load_like(z);
  switch (which) {
    case 0:
      return z.store(abs(a));
    case 1:
      return z.store(-a);
    case 2:
      return z.store(ceil(a));
    case 3:
      return z.store(floor(a));
    case 4:
      return z.store(exp(a));
    case 5:
      return z.store(exp2(a));
    case 6:
      return z.store(log(a));
    case 7:
      return z.store(log2(a));
    case 8:
      return z.store(sqrt(a));
    case 9:
      return z.store(rsqrt(a));
    case 10:
      return z.store(sin(a));
    case 11:
      return z.store(cos(a));
    case 12:
      return z.store(tan(a));
    case 13:
      return z.store(sinh(a));
    case 14:
      return z.store(cosh(a));
    default:
      return z.store(tanh(a));
  }
}

TYPED_TEST(FloatsTest, FunctionsAgreeWithTheLibrary) {
  using T = TypeParam;
  std::vector<T> numbers;
  for (double x = -4; x <= 4; x += 0.37) numbers.push_back(rounded<T>(x));
  for (const double x : {0.0, -0.0, infinity, -infinity, not_a_number}) {
    numbers.push_back(rounded<T>(x));
  }
  const auto n = static_cast<std::int64_t>(numbers.size());
  const auto x = from_host<T>(numbers);
  for (int which = 0; which < static_cast<int>(std::size(functions)); ++which) {
    const Function& function = functions[which];
    const std::vector<T> got =
        to_host(launch<transform<T>>(empty<T>(n).partition({3}), x, which).sync().join());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto a = static_cast<double>(numbers[i]);
      ASSERT_TRUE(close(got[i], function.host(a))) << function.name << " of " << a;
    }
  }
}

template <class T>
void transform_two(Out<T, dyn> power, Out<T, dyn> angle, Out<T, dyn> fused, In1<T> x, In1<T> y) {
  auto a = x.load_like(power);
  auto b = y.load_like(power);
  power.store(pow(abs(a), b));
  angle.store(atan2(a, b));
  fused.store(fma(a, b, a - b));
}

TYPED_TEST(FloatsTest, FunctionsOfTwoAgreeWithTheLibrary) {
  using T = TypeParam;
  std::vector<T> left;
  std::vector<T> right;
  for (double a = -3; a <= 3; a += 0.75) {
    for (double b = -2; b <= 2; b += 0.8) {
      left.push_back(rounded<T>(a));
      right.push_back(rounded<T>(b));
    }
  }
  const auto n = static_cast<std::int64_t>(left.size());
  auto [power, angle, fused] =
      launch<transform_two<T>>(empty<T>(n).partition({16}), empty<T>(n).partition({16}),
                               empty<T>(n).partition({16}), from_host<T>(left), from_host<T>(right))
          .sync()
          .join();
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto a = static_cast<double>(left[i]);
    const auto b = static_cast<double>(right[i]);
    const auto difference = static_cast<double>(rounded<T>(a - b));
    EXPECT_TRUE(close(to_host(power)[i], std::pow(std::abs(a), b))) << a << " " << b;
    EXPECT_TRUE(close(to_host(angle)[i], std::atan2(a, b))) << a << " " << b;
    EXPECT_TRUE(
        same(to_host(fused)[i], static_cast<double>(rounded<T>(std::fma(a, b, difference)))))
        << a << " " << b;
  }
}

// One third and two thirds lie between two floats; their sum and product with directed rounding are
// the neighbours on that side.
void rounded_quotients(Out<float, 1> nearest, Out<float, 1> zero, Out<float, 1> down,
                       Out<float, 1> up, In1<float> x) {
  auto a = x.tiles<1>()(0);
  nearest.store(div(a, 3.f));
  zero.store(div(a, 3.f, {.rounding = rounding::zero}));
  down.store(div(a, 3.f, {.rounding = rounding::negative}));
  up.store(div(a, 3.f, {.rounding = rounding::positive}));
}

TEST(RoundingTest, QuotientsRoundAsAsked) {
  for (const float x : {1.f, 2.f, -1.f, -2.f}) {
    auto [nearest, zero, down, up] =
        launch<rounded_quotients>(empty<float>(1).partition({1}), empty<float>(1).partition({1}),
                                  empty<float>(1).partition({1}), empty<float>(1).partition({1}),
                                  from_host<float>({x}, 1))
            .sync()
            .join();
    const double exact = static_cast<double>(x) / 3;
    const float close = static_cast<float>(exact);
    const float below = static_cast<double>(close) < exact ? close : std::nextafterf(close, -9);
    const float above = static_cast<double>(close) > exact ? close : std::nextafterf(close, 9);
    EXPECT_EQ(to_host(nearest)[0], close);
    EXPECT_EQ(to_host(zero)[0], x > 0 ? below : above);
    EXPECT_EQ(to_host(down)[0], below);
    EXPECT_EQ(to_host(up)[0], above);
  }
}

void flushed(Out<float, 1> kept, Out<float, 1> gone, In1<float> x) {
  auto a = x.tiles<1>()(0);
  kept.store(mul(a, 0.5f));
  gone.store(mul(a, 0.5f, {.ftz = true}));
}

TEST(RoundingTest, FlushesDenormalsOnlyWhenAsked) {
  const float least = std::numeric_limits<float>::min();
  auto [kept, gone] = launch<flushed>(empty<float>(1).partition({1}),
                                      empty<float>(1).partition({1}), from_host<float>({least}, 1))
                          .sync()
                          .join();
  EXPECT_EQ(to_host(kept)[0], least / 2);
  EXPECT_EQ(to_host(gone)[0], 0.f);
}

template <class T>
void beside_numbers(Out<T, dyn> z, In1<T> x) {
  auto a = x.load_like(z);
  z.store(1 - a * 0.5 + 2 / (a + 3) + max(0.25f, a));
}

TYPED_TEST(FloatsTest, NumbersStandOnEitherSide) {
  using T = TypeParam;
  const std::vector<T> numbers{rounded<T>(-1), rounded<T>(1), rounded<T>(5), rounded<T>(13)};
  const std::vector<T> got = to_host(
      launch<beside_numbers<T>>(empty<T>(4).partition({4}), from_host<T>(numbers)).sync().join());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto a = static_cast<double>(numbers[i]);
    // Every step is exact in all the types.
    EXPECT_TRUE(same(got[i], 1 - a * 0.5 + 2 / (a + 3) + std::fmax(0.25, a))) << a;
  }
}

}  // namespace
}  // namespace tw::tests
