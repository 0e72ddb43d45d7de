// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <limits>
#include <string>

#include <gmock/gmock.h>

#include <tilewright/dsl/unsafe/token.hpp>
#include <tilewright/runtime/constant.hpp>

namespace {

using namespace tw;

enum class Order : std::uint8_t { row, grouped };
struct Plan {
  int bn = 64;
  bool causal = false;
  float softcap = 0;
  Order order = Order::row;
};
struct Nested {
  Plan plan;
  std::array<int, 2> window;
  half scale;
};
struct WithArray {
  int rank;
  int extents[3];
};
struct WithString {
  std::string name;
};
struct Empty {};

static_assert(kernel_constant<int> && kernel_constant<bool> && kernel_constant<double>);
static_assert(kernel_constant<Order> && kernel_constant<bf16>);
static_assert(kernel_constant<Plan> && kernel_constant<Nested> && kernel_constant<Empty>);
static_assert(kernel_constant<std::array<Plan, 2>>);
static_assert(kernel_constant<unsafe::Token> && !std::is_default_constructible_v<unsafe::Token>);
static_assert(!kernel_constant<const char*> && !kernel_constant<long double>);
static_assert(!kernel_constant<WithArray> && !kernel_constant<WithString>);

struct WithReference {
  const int& number;
};
static_assert(!kernel_constant<WithReference>, "it may change, or be gone, when it is read");

template <class T>
detail::KeyWords words(const T& value) {
  detail::KeyWords key;
  detail::append_constant(key, value);
  return key;
}

TEST(Constant, EveryMemberCounts) {
  EXPECT_THAT(words(Plan{}), testing::SizeIs(4));
  EXPECT_NE(words(Plan{}), words(Plan{.bn = 65}));
  EXPECT_NE(words(Plan{}), words(Plan{.causal = true}));
  EXPECT_NE(words(Plan{}), words(Plan{.softcap = 1}));
  EXPECT_NE(words(Plan{}), words(Plan{.order = Order::grouped}));
}

TEST(Constant, MembersOfMembersCount) {
  const Nested nested{.plan = {.bn = 3}, .window = {4, 5}, .scale = half(1.f)};
  EXPECT_THAT(words(nested), testing::ElementsAre(3, 0, 0, 0, 4, 5, 0x3c00));
}

TEST(Constant, PaddingDoesNotCount) {
  struct Padded {
    char small;
    int large;
  };
  Padded a, b;
  std::memset(&a, 0x00, sizeof a);
  std::memset(&b, 0xff, sizeof b);
  a.small = b.small = 1;
  a.large = b.large = 2;
  EXPECT_EQ(words(a), words(b));
}

TEST(Constant, FloatsAreComparedByTheirBits) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(words(nan), words(nan));
  EXPECT_NE(words(0.0), words(-0.0));
}

}  // namespace
