// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/core/element.hpp>
#include <tilewright/core/float_conversion.hpp>

#include "tests/unit/reference_float.hpp"

namespace {

using tw::ElementKind;
using tw::Rounding;
using tw::numeric::decode;
using tw::numeric::encode;
using tw::numeric::Overflow;
using tw::testing::ReferenceFloat;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Rounding roundings[] = {Rounding::nearest_even, Rounding::zero, Rounding::negative_inf,
                                  Rounding::positive_inf, Rounding::nearest_away};
constexpr Overflow overflows[] = {Overflow::device, Overflow::special};

// One test a small format.
class SmallFormat : public testing::TestWithParam<tw::testing::PublishedFormat> {
 protected:
  [[nodiscard]] ElementKind kind() const { return GetParam().kind; }
  ReferenceFloat reference{GetParam()};

  void expect_as_reference(long double value) {
    for (const Rounding rounding : roundings) {
      for (const Overflow overflow : overflows) {
        ASSERT_EQ(encode(static_cast<double>(value), kind(), rounding, overflow),
                  reference.encode(value, rounding, overflow))
            << std::hexfloat << value << " rounding " << static_cast<int>(rounding);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(FloatConversion, SmallFormat,
                         testing::ValuesIn(tw::testing::published_formats), [](const auto& format) {
                           return std::string(tw::info(format.param.kind).name);
                         });

TEST_P(SmallFormat, DecodesEveryPattern) {
  const std::uint64_t count = std::uint64_t{1} << tw::info(kind()).bits;
  for (std::uint64_t pattern = 0; pattern < count; ++pattern) {
    const double expected = reference.decode(pattern);
    const double actual = decode(pattern, kind());
    ASSERT_TRUE(std::isnan(expected) ? std::isnan(actual)
                                     : std::bit_cast<std::uint64_t>(actual) ==
                                           std::bit_cast<std::uint64_t>(expected))
        << pattern << ": " << actual << " for " << expected;
  }
}

TEST_P(SmallFormat, EveryNumberKeepsItsPattern) {
  for (std::uint64_t pattern = 0; pattern < reference.magnitudes().size(); ++pattern) {
    for (const std::uint64_t sign : {std::uint64_t{0}, reference.sign_bit()}) {
      for (const Rounding rounding : roundings) {
        ASSERT_EQ(encode(decode(sign | pattern, kind()), kind(), rounding), sign | pattern);
      }
    }
  }
}

// Around each number and each midpoint of two neighbours, where roundings change.
TEST_P(SmallFormat, RoundsAroundEveryNumberAndMidpoint) {
  const std::vector<double>& numbers = reference.magnitudes();
  const std::size_t step = numbers.size() > 100'000 ? 13 : 1;
  for (std::size_t i = 0; i < numbers.size(); i += step) {
    const double next = i + 1 < numbers.size() ? numbers[i + 1] : reference.beyond();
    for (const double centre : {numbers[i], numbers[i] / 2 + next / 2, next}) {
      for (const double value :
           {centre, std::nextafter(centre, infinity), std::nextafter(centre, -infinity)}) {
        ASSERT_NO_FATAL_FAILURE(expect_as_reference(value));
        ASSERT_NO_FATAL_FAILURE(expect_as_reference(-value));
      }
    }
  }
}

TEST_P(SmallFormat, RoundsEveryHalfAndBf16) {
  for (const ElementKind source : {ElementKind::f16, ElementKind::bf16}) {
    for (std::uint64_t pattern = 0; pattern < 0x10000; ++pattern) {
      const double value = decode(pattern, source);
      if (!std::isfinite(value)) continue;
      ASSERT_NO_FATAL_FAILURE(expect_as_reference(value));
    }
  }
}

TEST_P(SmallFormat, RoundsTinyAndHugeNumbers) {
  for (const double value : {5e-324, 1e-310, 0x1p-1022, 0x1p-300, 1e30, 0x1.fffffep127, 1e100,
                             std::numeric_limits<double>::max()}) {
    ASSERT_NO_FATAL_FAILURE(expect_as_reference(value));
    ASSERT_NO_FATAL_FAILURE(expect_as_reference(-value));
  }
}

TEST_P(SmallFormat, RoundsIntegersOnce) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random() >> (random() % 64);
    const auto integer = std::bit_cast<std::int64_t>(i % 2 == 0 ? bits : ~bits);
    for (const Rounding rounding : roundings) {
      ASSERT_EQ(tw::numeric::encode_signed(integer, kind(), rounding, Overflow::special),
                reference.encode(integer, rounding, Overflow::special))
          << integer;
      ASSERT_EQ(tw::numeric::encode_unsigned(bits, kind(), rounding, Overflow::special),
                reference.encode(bits, rounding, Overflow::special))
          << bits;
    }
  }
}

TEST(FloatConversion, PublishedConstants) {
  EXPECT_EQ(decode(0x7bff, ElementKind::f16), 65504);
  EXPECT_EQ(decode(0x0001, ElementKind::f16), 0x1p-24);
  EXPECT_EQ(decode(0x7f7f, ElementKind::bf16), 0x1.fep127);
  EXPECT_EQ(decode(0x3fbff, ElementKind::tf32), 0x1.ffcp127);
  EXPECT_EQ(decode(0x7e, ElementKind::f8e4m3), 448);
  EXPECT_EQ(decode(0x01, ElementKind::f8e4m3), 0x1p-9);
  EXPECT_EQ(decode(0x7b, ElementKind::f8e5m2), 57344);
  EXPECT_EQ(decode(0x01, ElementKind::f8e5m2), 0x1p-16);
  EXPECT_EQ(decode(0x00, ElementKind::f8e8m0), 0x1p-127);
  EXPECT_EQ(decode(0x7f, ElementKind::f8e8m0), 1);
  EXPECT_EQ(decode(0xfe, ElementKind::f8e8m0), 0x1p127);
  EXPECT_EQ(decode(0xfe, ElementKind::f8e5m3), 114688);
  EXPECT_EQ(decode(0x01, ElementKind::f8e5m3), 0x1p-17);
  EXPECT_EQ(decode(0x7, ElementKind::f4e2m1), 6);
  EXPECT_EQ(decode(0x9, ElementKind::f4e2m1), -0.5);
  EXPECT_EQ(decode(0x00000001, ElementKind::f32), 0x1p-149);
  EXPECT_EQ(decode(0x7f7fffff, ElementKind::f32), 0x1.fffffep127);
  EXPECT_EQ(decode(0x0000000000000001, ElementKind::f64), 0x1p-1074);
}

TEST(FloatConversion, NumbersAboveTheLargestRound) {
  EXPECT_EQ(encode(65519, ElementKind::f16), 0x7bff);
  EXPECT_EQ(encode(65520, ElementKind::f16), 0x7c00);
  EXPECT_EQ(encode(449, ElementKind::f8e4m3), 0x7e);
  EXPECT_EQ(encode(464, ElementKind::f8e4m3, Rounding::nearest_even, Overflow::special), 0x7e);
  EXPECT_EQ(encode(464.5, ElementKind::f8e4m3, Rounding::nearest_even, Overflow::special), 0x7f);
  EXPECT_EQ(encode(464.5, ElementKind::f8e4m3), 0x7e);
  EXPECT_EQ(encode(-1e9, ElementKind::f8e4m3), 0xfe);
  EXPECT_EQ(encode(61440, ElementKind::f8e5m2, Rounding::nearest_even, Overflow::special), 0x7c);
  EXPECT_EQ(encode(61440, ElementKind::f8e5m2), 0x7b);
  EXPECT_EQ(encode(100, ElementKind::f4e2m1, Rounding::nearest_even, Overflow::special), 0x7);
}

TEST(FloatConversion, InfinityIsKeptOrClamped) {
  EXPECT_EQ(encode(-infinity, ElementKind::f16), 0xfc00);
  EXPECT_EQ(encode(infinity, ElementKind::bf16, Rounding::zero), 0x7f80);
  EXPECT_EQ(encode(infinity, ElementKind::f8e5m2), 0x7b);
  EXPECT_EQ(encode(infinity, ElementKind::f8e5m2, Rounding::zero, Overflow::special), 0x7c);
  EXPECT_EQ(encode(-infinity, ElementKind::f8e4m3), 0xfe);
  EXPECT_EQ(encode(-infinity, ElementKind::f8e4m3, Rounding::zero, Overflow::special), 0xff);
  EXPECT_EQ(encode(infinity, ElementKind::f8e8m0), 0xfe);
  EXPECT_EQ(encode(infinity, ElementKind::f8e8m0, Rounding::zero, Overflow::special), 0xff);
  EXPECT_EQ(encode(-infinity, ElementKind::f4e2m1), 0xf);
}

TEST(FloatConversion, NanStaysNan) {
  for (const Rounding rounding : roundings) {
    for (const Overflow overflow : overflows) {
      for (std::size_t i = 0; i < tw::element_kind_count; ++i) {
        const auto kind = static_cast<ElementKind>(i);
        if (!tw::info(kind).is_float() || kind == ElementKind::f4e2m1) continue;
        EXPECT_TRUE(std::isnan(decode(encode(nan, kind, rounding, overflow), kind))) << i;
        EXPECT_TRUE(std::isnan(decode(encode(-nan, kind, rounding, overflow), kind))) << i;
      }
    }
  }
}

TEST(FloatConversion, NanKeepsSignAndLeadingPayload) {
  // An f32 NaN whose payload bits above bf16's are all zero must not become infinity, nor one with
  // all payload bits set carry into the sign.
  EXPECT_EQ(tw::bf16(std::bit_cast<float>(0x7fffffffu)).bits(), 0x7fff);
  EXPECT_EQ(tw::bf16(std::bit_cast<float>(0x7f800001u)).bits(), 0x7fc0);
  EXPECT_EQ(tw::half(std::bit_cast<float>(0xff802000u)).bits(), 0xfe01);
  EXPECT_EQ(encode(decode(0x7c01, ElementKind::f16), ElementKind::f16), 0x7e01);
  EXPECT_EQ(encode(-nan, ElementKind::f8e4m3), 0xff);
  EXPECT_EQ(encode(-nan, ElementKind::f8e8m0), 0xff);
}

TEST(FloatConversion, FormatsWithoutSignTakeTheMagnitude) {
  EXPECT_EQ(encode(-3, ElementKind::f8e8m0, Rounding::zero), 0x80);
  EXPECT_EQ(encode(-3, ElementKind::f8e8m0, Rounding::positive_inf), 0x81);
  EXPECT_EQ(encode(-1, ElementKind::f8e5m3), encode(1, ElementKind::f8e5m3));
  EXPECT_EQ(encode(-0.0, ElementKind::f8e5m3), 0);
}

TEST(FloatConversion, ZeroOfAFormatWithoutZeroIsItsSmallestNumber) {
  for (const Rounding rounding : roundings) {
    EXPECT_EQ(encode(0.0, ElementKind::f8e8m0, rounding), 0);
    EXPECT_EQ(encode(-0.0, ElementKind::f8e8m0, rounding), 0);
    EXPECT_EQ(encode(0x1p-140, ElementKind::f8e8m0, rounding), 0);
    EXPECT_EQ(tw::numeric::encode_signed(0, ElementKind::f8e8m0, rounding), 0);
  }
}

TEST(FloatConversion, NanOfAFormatWithoutNanIsItsLargestNumber) {
  EXPECT_EQ(encode(nan, ElementKind::f4e2m1), 0x7);
  EXPECT_EQ(encode(-nan, ElementKind::f4e2m1), 0x7);
}

// 1 + 2^-4 + 2^-30 is a tie in f8e4m3 once it has been rounded to an f32.
TEST(FloatConversion, DoublesDoNotRoundTwice) {
  EXPECT_EQ(encode(1 + 0x1p-4 + 0x1p-30, ElementKind::f8e4m3), 0x39);
  EXPECT_EQ(encode(1 + 0x1p-4, ElementKind::f8e4m3), 0x38);
  EXPECT_EQ(encode(1 + 0x1p-11 + 0x1p-40, ElementKind::f16), 0x3c01);
}

TEST(FloatConversion, LenientRoundingsAreTheExactOnes) {
  EXPECT_EQ(encode(2.5, ElementKind::f4e2m1, Rounding::approx), 0x4);
  EXPECT_EQ(encode(3.5, ElementKind::f4e2m1, Rounding::full), 0x6);
  EXPECT_EQ(encode(5.9, ElementKind::f4e2m1, Rounding::nearest_int_to_zero), 0x6);
}

// The hardware, asked to round in another mode, is the oracle for f32.
float hardware_float(long double value, int mode) {
  const volatile long double source = value;
  std::fesetround(mode);
  const volatile float result = static_cast<float>(source);
  std::fesetround(FE_TONEAREST);
  return result;
}

TEST(FloatConversion, FloatsRoundAsTheHardwareDoes) {
  struct Mode {
    Rounding rounding;
    int hardware;
  };
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random();
    // Exponents from below the subnormals of f32 to above its largest number.
    const double value =
        std::ldexp(static_cast<double>(bits >> 11), static_cast<int>(bits % 300) - 210);
    const auto integer = static_cast<std::int64_t>(bits) >> (bits % 61);
    for (const Mode mode :
         {Mode{Rounding::nearest_even, FE_TONEAREST}, Mode{Rounding::zero, FE_TOWARDZERO},
          Mode{Rounding::negative_inf, FE_DOWNWARD}, Mode{Rounding::positive_inf, FE_UPWARD}}) {
      for (const double signed_value : {value, -value}) {
        ASSERT_EQ(encode(signed_value, ElementKind::f32, mode.rounding),
                  std::bit_cast<std::uint32_t>(hardware_float(signed_value, mode.hardware)));
      }
      ASSERT_EQ(tw::numeric::encode_signed(integer, ElementKind::f32, mode.rounding),
                std::bit_cast<std::uint32_t>(hardware_float(integer, mode.hardware)));
      ASSERT_EQ(tw::numeric::encode_unsigned(bits, ElementKind::f32, mode.rounding),
                std::bit_cast<std::uint32_t>(hardware_float(bits, mode.hardware)));
    }
  }
}

TEST(FloatConversion, DoublesKeepTheirBits) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 10'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    for (const Rounding rounding : roundings) {
      ASSERT_EQ(encode(value, ElementKind::f64, rounding), std::bit_cast<std::uint64_t>(value));
    }
    ASSERT_EQ(decode(std::bit_cast<std::uint64_t>(value), ElementKind::f64), value);
  }
}

TEST(FloatConversion, IntegersBecomeDoublesOnce) {
  constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;
  EXPECT_EQ(tw::numeric::encode_signed(odd, ElementKind::f64),
            std::bit_cast<std::uint64_t>(0x1p53));
  EXPECT_EQ(tw::numeric::encode_signed(-odd, ElementKind::f64, Rounding::negative_inf),
            std::bit_cast<std::uint64_t>(-0x1.0000000000001p53));
  EXPECT_EQ(tw::numeric::encode_signed(std::numeric_limits<std::int64_t>::min(), ElementKind::f64),
            std::bit_cast<std::uint64_t>(-0x1p63));
  EXPECT_EQ(tw::numeric::encode_unsigned(~std::uint64_t{0}, ElementKind::f64, Rounding::zero),
            std::bit_cast<std::uint64_t>(0x1.fffffffffffffp63));
  EXPECT_EQ(tw::half((std::int64_t{1} << 11) + 1).bits(), tw::half(2048.0f).bits());
}

TEST(FloatConversion, IntegersSaturate) {
  using tw::numeric::saturate_to;
  EXPECT_EQ(saturate_to<std::int8_t>(127.9), 127);
  EXPECT_EQ(saturate_to<std::int8_t>(128), 127);
  EXPECT_EQ(saturate_to<std::int8_t>(-128.9), -128);
  EXPECT_EQ(saturate_to<std::int8_t>(-2.9), -2);
  EXPECT_EQ(saturate_to<std::uint8_t>(-0.9), 0);
  EXPECT_EQ(saturate_to<std::uint8_t>(-1), 0);
  EXPECT_EQ(saturate_to<std::uint8_t>(256), 255);
  EXPECT_EQ(saturate_to<std::int32_t>(2147483646.5), 2147483646);
  EXPECT_EQ(saturate_to<std::int64_t>(0x1p63), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(saturate_to<std::int64_t>(-0x1p63), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(saturate_to<std::int64_t>(0x1.fffffffffffffp62), 0x7ffffffffffffc00);
  EXPECT_EQ(saturate_to<std::uint64_t>(0x1.fffffffffffffp63), 0xfffffffffffff800);
  EXPECT_EQ(saturate_to<std::uint64_t>(infinity), ~std::uint64_t{0});
  EXPECT_EQ(saturate_to<std::int16_t>(-infinity), -32768);
  EXPECT_EQ(saturate_to<std::int32_t>(nan), 0);
  EXPECT_TRUE(saturate_to<bool>(1));
  EXPECT_TRUE(saturate_to<bool>(7));
  EXPECT_FALSE(saturate_to<bool>(0.9));
  EXPECT_FALSE(saturate_to<bool>(-1));
  EXPECT_FALSE(saturate_to<bool>(nan));
}

TEST(FloatConversion, FlushesOnlySubnormals) {
  using tw::numeric::flush_to_zero;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(flush_to_zero(0x1p-127f)), 0u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(flush_to_zero(-0x1p-149f)), 0x80000000u);
  EXPECT_EQ(flush_to_zero(0x1p-126f), 0x1p-126f);
  EXPECT_EQ(flush_to_zero(-1.5f), -1.5f);
  EXPECT_TRUE(std::isnan(flush_to_zero(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace
