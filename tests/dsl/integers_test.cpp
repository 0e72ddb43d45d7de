// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/tilewright.hpp>

#include "pairs.hpp"

/// Integer operations are total and wrap (DESIGN: x / 0 = 0, x % 0 = x, MIN / -1 wraps, shifts take
/// their amount modulo the width), for every integer type and pairs of its extreme numbers.
namespace tw::tests {
namespace {

enum class Op {
  add,
  subtract,
  multiply,
  divide,
  remainder,
  divide_down,
  modulo,
  divide_up,
  least,
  greatest,
  conjunction,
  disjunction,
  exclusive,
  left,
  right,
  upper_half,
  count,
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
    case Op::divide_down:
      return z.store(floor_div(a, b));
    case Op::modulo:
      return z.store(floor_mod(a, b));
    case Op::divide_up:
      return z.store(ceil_div(a, b));
    case Op::least:
      return z.store(min(a, b));
    case Op::greatest:
      return z.store(max(a, b));
    case Op::conjunction:
      return z.store(a & b);
    case Op::disjunction:
      return z.store(a | b);
    case Op::exclusive:
      return z.store(a ^ b);
    case Op::left:
      return z.store(a << b);
    case Op::right:
      return z.store(a >> b);
    default:
      return z.store(mul_high(a, b));
  }
}

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

/// The quotient of unlimited integers, rounded down.
Wide floor_quotient(Wide a, Wide b) {
  const Wide quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

template <class T>
T expected(Op op, T x, T y) {
  const Wide a = x;
  const Wide b = y;
  const int width = std::numeric_limits<std::make_unsigned_t<T>>::digits;
  const int amount = static_cast<int>(y & static_cast<T>(width - 1));
  switch (op) {
    case Op::add:
      return static_cast<T>(a + b);
    case Op::subtract:
      return static_cast<T>(a - b);
    case Op::multiply:
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) *
                            std::uint64_t{static_cast<std::make_unsigned_t<T>>(y)});
    case Op::divide:
      return b == 0 ? T{0} : static_cast<T>(a / b);
    case Op::remainder:
      return b == 0 ? x : static_cast<T>(a % b);
    case Op::divide_down:
      return b == 0 ? T{0} : static_cast<T>(floor_quotient(a, b));
    case Op::modulo:
      return b == 0 ? x : static_cast<T>(a - b * floor_quotient(a, b));
    case Op::divide_up:
      return b == 0 ? T{0} : static_cast<T>(-floor_quotient(-a, b));
    case Op::least:
      return a < b ? x : y;
    case Op::greatest:
      return a < b ? y : x;
    case Op::conjunction:
      return static_cast<T>(x & y);
    case Op::disjunction:
      return static_cast<T>(x | y);
    case Op::exclusive:
      return static_cast<T>(x ^ y);
    case Op::left:
      return static_cast<T>(static_cast<std::uint64_t>(x) << amount);
    case Op::right:
      return static_cast<T>(x >> amount);
    default:
      using Product = std::conditional_t<std::is_signed_v<T>, Wide, UnsignedWide>;
      return static_cast<T>((static_cast<Product>(x) * static_cast<Product>(y)) >> width);
  }
}

/// Numbers at which integer code goes wrong.
template <class T>
std::vector<T> edges() {
  const int width = std::numeric_limits<std::make_unsigned_t<T>>::digits;
  const T least = std::numeric_limits<T>::min();
  const T greatest = std::numeric_limits<T>::max();
  std::vector<T> numbers{0, 1, 2, 3, 7, 100};
  for (const int near : {width - 1, width, width + 1}) numbers.push_back(static_cast<T>(near));
  for (const int below : {0, 1, 2}) numbers.push_back(static_cast<T>(greatest - T(below)));
  if constexpr (std::is_signed_v<T>) {
    for (const int above : {0, 1, 2}) numbers.push_back(static_cast<T>(least + above));
    for (const int negative : {-1, -2, -3, -7}) numbers.push_back(static_cast<T>(negative));
  }
  return numbers;
}

template <class T>
class IntegersTest : public PairsTest<T> {
 protected:
  IntegersTest() : PairsTest<T>(edges<T>()) {}
};
using Integers = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(IntegersTest, Integers);

// Blocks of 20: the lanes that pad them to 32 must not matter.
TYPED_TEST(IntegersTest, BinaryOperationsAreTotalAndWrap) {
  using T = TypeParam;
  const auto x = from_host<T>(this->left_);
  const auto y = from_host<T>(this->right_);
  for (int each = 0; each < static_cast<int>(Op::count); ++each) {
    const Op op = static_cast<Op>(each);
    const std::vector<T> got =
        to_host(launch<compute<T>>(empty<T>(this->size()).partition({20}), x, y, op).sync().join());
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i], expected(op, this->left_[i], this->right_[i]))
          << "operation " << each << " of " << +this->left_[i] << " and " << +this->right_[i];
    }
  }
}

template <class T>
void compare_all(Out<std::uint8_t, dyn> z, In1<T> x, In1<T> y) {
  auto a = x.load_like(z);
  auto b = y.load_like(z);
  auto bit = [](auto holds, int place) { return as<std::uint8_t>(holds) << place; };
  z.store(bit(a == b, 0) | bit(a != b, 1) | bit(a < b, 2) | bit(a <= b, 3) | bit(a > b, 4) |
          bit(a >= b, 5));
}

TYPED_TEST(IntegersTest, ComparisonsKnowTheSign) {
  using T = TypeParam;
  const std::vector<std::uint8_t> got =
      to_host(launch<compare_all<T>>(empty<std::uint8_t>(this->size()).partition({20}),
                                     from_host<T>(this->left_), from_host<T>(this->right_))
                  .sync()
                  .join());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const T a = this->left_[i];
    const T b = this->right_[i];
    const int want =
        (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5;
    ASSERT_EQ(got[i], want) << +a << " and " << +b;
  }
}

template <class T>
void transform_all(Out<T, dyn> negated, Out<T, dyn> inverted, Out<T, dyn> absolute, In1<T> x) {
  auto a = x.load_like(negated);
  negated.store(-a);
  inverted.store(~a);
  absolute.store(abs(a));
}

TYPED_TEST(IntegersTest, UnaryOperationsWrap) {
  using T = TypeParam;
  const std::vector<T> numbers = edges<T>();
  const auto n = static_cast<std::int64_t>(numbers.size());
  auto [negated, inverted, absolute] =
      launch<transform_all<T>>(empty<T>(n).partition({5}), empty<T>(n).partition({5}),
                               empty<T>(n).partition({5}), from_host<T>(numbers))
          .sync()
          .join();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Wide a = numbers[i];
    EXPECT_EQ(to_host(negated)[i], static_cast<T>(-a));
    EXPECT_EQ(to_host(inverted)[i], static_cast<T>(-a - 1));
    EXPECT_EQ(to_host(absolute)[i], static_cast<T>(a < 0 ? -a : a));
  }
}

/// A number beside a tile means what it would mean in a tile, on either side.
template <class T>
void beside_numbers(Out<T, dyn> z, In1<T> x) {
  auto a = x.load_like(z);
  z.store(7 - (100 / (a + 1)) * 3 + max(2, a % 5));
}

TYPED_TEST(IntegersTest, NumbersStandOnEitherSide) {
  using T = TypeParam;
  const std::vector<T> numbers{0, 1, 4, 9, 30, 99};
  const std::vector<T> got = to_host(
      launch<beside_numbers<T>>(empty<T>(6).partition({3}), from_host<T>(numbers)).sync().join());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const int a = static_cast<int>(numbers[i]);
    EXPECT_EQ(got[i], static_cast<T>(7 - (100 / (a + 1)) * 3 + std::max(2, a % 5)));
  }
}

void decide(Out<bool, dyn> z, In1<bool> x, In1<bool> y, int which) {
  auto a = x.load_like(z);
  auto b = y.load_like(z);
  switch (which) {
    case 0:
      return z.store(a & b);
    case 1:
      return z.store(a | b);
    case 2:
      return z.store(a ^ b);
    case 3:
      return z.store(!a);
    case 4:
      return z.store(~a | !b);
    case 5:
      return z.store(a == b);
    default:
      return z.store(where(a, !b, b));
  }
}

TEST(TruthTest, LogicFollowsItsTables) {
  const std::vector<std::uint8_t> left{0, 0, 1, 1};
  const std::vector<std::uint8_t> right{0, 1, 0, 1};
  const std::vector<std::vector<std::uint8_t>> want{{0, 0, 0, 1}, {0, 1, 1, 1}, {0, 1, 1, 0},
                                                    {1, 1, 0, 0}, {1, 1, 1, 0}, {1, 0, 0, 1},
                                                    {0, 1, 1, 0}};
  for (int which = 0; which < 7; ++which) {
    const auto got = to_host(launch<decide>(empty<bool>(4).partition({4}), from_host<bool>(left),
                                            from_host<bool>(right), which)
                                 .sync()
                                 .join());
    EXPECT_EQ(got, want[static_cast<std::size_t>(which)]) << which;
  }
}

}  // namespace
}  // namespace tw::tests
