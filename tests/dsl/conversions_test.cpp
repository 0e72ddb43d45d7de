// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/tilewright.hpp>

namespace tw::tests {
namespace {

using testing::ElementsAre;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class To, class From>
void convert(Out<To, dyn> z, In1<From> x) {
  z.store(as<To>(x.load_like(z)));
}

/// What the kernel above makes of some numbers.
template <class To, class From>
std::vector<host_type<To>> converted(const std::vector<From>& numbers) {
  const auto n = static_cast<std::int64_t>(numbers.size());
  return to_host(launch<convert<To, From>>(empty<To>(n).partition({3}), from_host<From>(numbers))
                     .sync()
                     .join());
}
template <class To>
std::vector<host_type<To>> converted_floats(std::vector<float> numbers) {
  return converted<To, float>(numbers);
}

template <class T>
std::vector<double> numbers_of(const std::vector<T>& elements) {
  std::vector<double> numbers;
  for (const T element : elements) numbers.push_back(static_cast<double>(element));
  return numbers;
}

TEST(ConversionTest, FloatsBecomeIntegersBySaturatingTruncation) {
  const std::vector<float> numbers{0.f,
                                   2.9f,
                                   -2.9f,
                                   300.f,
                                   -300.f,
                                   1e20f,
                                   -1e20f,
                                   static_cast<float>(not_a_number),
                                   static_cast<float>(infinity),
                                   static_cast<float>(-infinity)};
  EXPECT_THAT(converted_floats<std::int8_t>(numbers),
              ElementsAre(0, 2, -2, 127, -128, 127, -128, 0, 127, -128));
  EXPECT_THAT(converted_floats<std::uint8_t>(numbers),
              ElementsAre(0, 2, 0, 255, 0, 255, 0, 0, 255, 0));
  constexpr auto least = std::numeric_limits<std::int32_t>::min();
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  EXPECT_THAT(converted_floats<std::int32_t>(numbers),
              ElementsAre(0, 2, -2, 300, -300, most, least, 0, most, least));
  constexpr auto all_ones = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(converted_floats<std::uint64_t>(numbers),
              ElementsAre(0u, 2u, 0u, 300u, 0u, all_ones, 0u, 0u, all_ones, 0u));
}

TEST(ConversionTest, IntegersWrapAndExtendBySign) {
  const std::vector<std::int32_t> numbers{0, 1, -1, 128, -129, 65536 + 5};
  EXPECT_THAT((converted<std::int8_t>(numbers)), ElementsAre(0, 1, -1, -128, 127, 5));
  EXPECT_THAT((converted<std::uint16_t>(numbers)), ElementsAre(0, 1, 65535, 128, 65407, 5));
  EXPECT_THAT((converted<std::uint32_t>(numbers)),
              ElementsAre(0u, 1u, 4294967295u, 128u, 4294967167u, 65541u));
  EXPECT_THAT((converted<std::int64_t>(numbers)), ElementsAre(0, 1, -1, 128, -129, 65541));
  const std::vector<std::uint8_t> bytes{0, 1, 127, 128, 255};
  EXPECT_THAT((converted<std::int32_t>(bytes)), ElementsAre(0, 1, 127, 128, 255));
  EXPECT_THAT((converted<std::int8_t>(bytes)), ElementsAre(0, 1, 127, -128, -1));
}

TEST(ConversionTest, IntegersBecomeTheNearestFloats) {
  const std::vector<std::int64_t> wide{16777217, -16777219, std::int64_t{1} << 62};
  EXPECT_THAT((converted<float>(wide)), ElementsAre(16777216.f, -16777220.f, 0x1p62f));
  const std::vector<std::uint64_t> huge{std::numeric_limits<std::uint64_t>::max()};
  EXPECT_THAT((converted<double>(huge)), ElementsAre(0x1p64));
  const std::vector<std::uint8_t> bytes{200, 255};
  EXPECT_THAT(numbers_of(converted<half>(bytes)), ElementsAre(200, 255));
  const std::vector<std::int32_t> ties{2049, 2051, 70000};
  EXPECT_THAT(numbers_of(converted<half>(ties)), ElementsAre(2048, 2052, infinity));
}

TEST(ConversionTest, TruthIsWhatIsNotZero) {
  const std::vector<float> numbers{0.f, -0.f, 0.5f, -3.f, static_cast<float>(not_a_number)};
  EXPECT_THAT(converted_floats<bool>(numbers), ElementsAre(0, 0, 1, 1, 1));
  EXPECT_THAT((converted<bool>(std::vector<std::int32_t>{0, 2, -256})), ElementsAre(0, 1, 1));
  EXPECT_THAT((converted<bool>(std::vector<f8e4m3>{f8e4m3(0.f), f8e4m3(2.f)})), ElementsAre(0, 1));
}

void from_truth(Out<std::int32_t, dyn> number, Out<float, dyn> real, In1<bool> x) {
  auto a = x.load_like(number);
  number.store(as<std::int32_t>(a) * 3);
  real.store(as<float>(a));
}

TEST(ConversionTest, TruthCountsAsOne) {
  const std::vector<std::uint8_t> truths{0, 1, 1};
  auto [number, real] = launch<from_truth>(empty<std::int32_t>(3).partition({3}),
                                           empty<float>(3).partition({3}), from_host<bool>(truths))
                            .sync()
                            .join();
  EXPECT_THAT(to_host(number), ElementsAre(0, 3, 3));
  EXPECT_THAT(to_host(real), ElementsAre(0.f, 1.f, 1.f));
}

// The largest numbers: half 65504, bf16 about 3.39e38, f8e4m3 448, f8e5m2 57344, f4e2m1 6. Halfway
// to what would come next rounds to infinity, or NaN where there is none; f8e8m0 takes the power of
// two below.
TEST(ConversionTest, FloatsRoundToNearestInEveryFormat) {
  EXPECT_THAT(numbers_of(converted_floats<half>({1.f + 0x1p-11f, 65519.f, 65520.f})),
              ElementsAre(1, 65504, infinity));
  EXPECT_THAT(numbers_of(converted_floats<bf16>({1.f + 0x1p-8f, 1.f + 0x1.8p-7f})),
              ElementsAre(1, 1 + 0x1p-6));
  EXPECT_THAT(numbers_of(converted_floats<f8e4m3>({1.0625f, 1.1875f, 449.f, -3.5f})),
              ElementsAre(1, 1.25, 448, -3.5));
  EXPECT_THAT(numbers_of(converted_floats<f8e5m2>({1.125f, 1.375f, 50000.f})),
              ElementsAre(1, 1.5, 49152));
  EXPECT_THAT(numbers_of(converted_floats<f8e8m0>({1.f, 3.9f, 0.3f})), ElementsAre(1, 2, 0.25));
  EXPECT_THAT(numbers_of(converted_floats<f8e5m3>({1.0625f, 7.f})), ElementsAre(1, 7));
  EXPECT_THAT(numbers_of(converted_floats<tf32>({1.f + 0x1p-11f, 3.f})), ElementsAre(1, 3));
  EXPECT_THAT((converted<float>(std::vector<double>{0.1, 1e300})),
              ElementsAre(0.1f, static_cast<float>(infinity)));
}

void scale_up(Out<f8e8m0, dyn> z, In1<float> x) {
  z.store(as<f8e8m0>(x.load_like(z), {.rounding = rounding::positive}));
}
void truncate(Out<half, dyn> z, In1<float> x) {
  z.store(as<half>(x.load_like(z), {.rounding = rounding::zero}));
}

TEST(ConversionTest, FloatsRoundAsAsked) {
  const auto scales =
      to_host(launch<scale_up>(empty<f8e8m0>(2).partition({2}), from_host<float>({1.f, 2.1f}))
                  .sync()
                  .join());
  EXPECT_THAT(numbers_of(scales), ElementsAre(1, 4));
  const auto halves = to_host(launch<truncate>(empty<half>(2).partition({2}),
                                               from_host<float>({1.f + 0x1.8p-10f, -65519.f}))
                                  .sync()
                                  .join());
  EXPECT_THAT(numbers_of(halves), ElementsAre(1 + 0x1p-10, -65504));
}

/// Numbers beside tiles round like conversions.
void beside_constants(Out<half, dyn> large, Out<f8e4m3, dyn> narrow) {
  large.store(full<half>(65520.f, 1) + full<half>(0.1, 1));
  narrow.store(full<f8e4m3>(449.f, 1));
}

TEST(ConversionTest, ConstantsRoundToNearest) {
  auto [large, narrow] =
      launch<beside_constants>(empty<half>(1).partition({1}), empty<f8e4m3>(1).partition({1}))
          .sync()
          .join();
  EXPECT_EQ(static_cast<double>(to_host(large)[0]), infinity);
  EXPECT_EQ(static_cast<double>(to_host(narrow)[0]), 448);
}

void reinterpret(Out<std::uint32_t, dyn> bits, Out<float, dyn> back, In1<float> x) {
  auto pattern = bitcast<std::uint32_t>(x.load_like(bits));
  bits.store(pattern);
  back.store(bitcast<float>(pattern ^ 0x80000000u));
}

TEST(ConversionTest, BitcastKeepsBits) {
  const std::vector<float> numbers{1.f, -2.5f, 0.f};
  auto [bits, back] = launch<reinterpret>(empty<std::uint32_t>(3).partition({3}),
                                          empty<float>(3).partition({3}), from_host<float>(numbers))
                          .sync()
                          .join();
  EXPECT_THAT(to_host(bits), ElementsAre(0x3f800000u, 0xc0200000u, 0u));
  EXPECT_THAT(to_host(back), ElementsAre(-1.f, 2.5f, -0.f));
}

}  // namespace
}  // namespace tw::tests
