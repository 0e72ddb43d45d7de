// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/core/bulk_conversion.hpp>
#include <tilewright/core/element.hpp>

namespace {

using tw::DType;
using tw::Rounding;
using tw::numeric::Overflow;

template <class To, class From>
std::vector<To> converted(const std::vector<From>& from, Rounding rounding = Rounding::nearest_even,
                          Overflow overflow = Overflow::device) {
  std::vector<To> to(from.size());
  tw::numeric::convert(std::as_bytes(std::span(from)).data(), tw::dtype_of<From>,
                       std::as_writable_bytes(std::span(to)).data(), tw::dtype_of<To>, from.size(),
                       rounding, overflow);
  return to;
}

DType dtype_at(std::size_t i) { return static_cast<DType>(i); }

// An element of any type, in the low bytes.
std::uint64_t element_at(const std::vector<std::byte>& data, DType dtype, std::size_t i) {
  std::uint64_t bits = 0;
  const std::size_t size = tw::storage_bytes(dtype);
  std::memcpy(&bits, data.data() + i * size, size);
  return bits;
}

int memory_shift(DType dtype) { return tw::info(tw::element_kind(dtype)).format.memory_shift; }

std::int64_t as_integer(std::uint64_t bits, DType dtype) {
  const int unused = 64 - 8 * static_cast<int>(tw::storage_bytes(dtype));
  const auto high = static_cast<std::int64_t>(bits << unused);
  return tw::info(dtype).is_signed ? high >> unused : static_cast<std::int64_t>(bits);
}

// What the conversion of one element must give, from the functions on single numbers.
std::uint64_t expected(std::uint64_t bits, DType from, DType to, Rounding rounding,
                       Overflow overflow) {
  using namespace tw::numeric;
  const tw::ElementKind kind = tw::element_kind(to);
  const std::size_t size = tw::storage_bytes(to);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (to == DType::boolean ? 1 : 8 * size));
  if (tw::is_float(from)) {
    const double value = decode(bits >> memory_shift(from), tw::element_kind(from));
    if (tw::is_float(to)) return encode(value, kind, rounding, overflow) << memory_shift(to);
    if (std::isnan(value)) return 0;
    const double truncated = std::trunc(value);
    const int digits =
        to == DType::boolean ? 1 : static_cast<int>(8 * size) - tw::info(to).is_signed;
    const double limit = std::ldexp(1.0, digits);
    const double lowest = tw::info(to).is_signed ? -limit : 0;
    if (truncated >= limit) return mask >> tw::info(to).is_signed;
    if (truncated <= lowest) return tw::info(to).is_signed ? mask - (mask >> 1) : 0;
    return (truncated < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(truncated))
                          : static_cast<std::uint64_t>(truncated)) &
           mask;
  }
  if (!tw::is_float(to)) return static_cast<std::uint64_t>(as_integer(bits, from)) & mask;
  const std::uint64_t pattern =
      tw::info(from).is_signed ? encode_signed(as_integer(bits, from), kind, rounding, overflow)
                               : encode_unsigned(bits, kind, rounding, overflow);
  return pattern << memory_shift(to);
}

// Patterns of all lengths and exponents; more than a block of them.
std::vector<std::byte> samples(DType dtype, std::size_t count) {
  std::mt19937_64 random(static_cast<std::uint64_t>(dtype));
  const tw::ElementKindInfo& info = tw::info(tw::element_kind(dtype));
  const std::size_t size = tw::storage_bytes(dtype);
  std::vector<std::byte> data(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = random();
    if (!info.is_float()) bits = i % 2 == 0 ? bits >> bits % 64 : ~(bits >> bits % 64);
    if (i < 65536 && info.bits <= 16) bits = i;
    bits &= ~std::uint64_t{0} >> (64 - info.bits);
    bits <<= info.format.memory_shift;
    std::memcpy(data.data() + i * size, &bits, size);
  }
  return data;
}

class EveryPair : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(BulkConversion, EveryPair, testing::Range(std::size_t{0}, tw::dtype_count),
                         [](const auto& from) {
                           return std::string(tw::info(dtype_at(from.param)).name);
                         });

TEST_P(EveryPair, AgreesWithSingleNumbers) {
  const DType from = dtype_at(GetParam());
  for (const Rounding rounding : {Rounding::nearest_even, Rounding::zero, Rounding::negative_inf,
                                  Rounding::positive_inf, Rounding::nearest_away}) {
    const std::size_t count = rounding == Rounding::nearest_even ? 70'000 : 1'000;
    const Overflow overflow =
        rounding == Rounding::nearest_away ? Overflow::special : Overflow::device;
    const std::vector<std::byte> source = samples(from, count);
    for (std::size_t j = 0; j < tw::dtype_count; ++j) {
      const DType to = dtype_at(j);
      if (to == from) continue;
      std::vector<std::byte> target(count * tw::storage_bytes(to));
      tw::numeric::convert(source.data(), from, target.data(), to, count, rounding, overflow);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t bits = element_at(source, from, i);
        ASSERT_EQ(element_at(target, to, i), expected(bits, from, to, rounding, overflow))
            << std::hex << bits << " to " << tw::info(to).name << " rounding "
            << static_cast<int>(rounding);
      }
    }
  }
}

TEST_P(EveryPair, CopiesToItself) {
  const DType type = dtype_at(GetParam());
  const std::vector<std::byte> source = samples(type, 300);
  std::vector<std::byte> target(source.size());
  tw::numeric::convert(source.data(), type, target.data(), type, 300);
  EXPECT_EQ(target, source);
}

TEST(BulkConversion, PublishedValues) {
  using tw::half;
  const std::vector<float> floats = converted<float>(
      std::vector<half>{half::from_bits(0x3555), half::from_bits(0x0001), half::from_bits(0xfbff)});
  EXPECT_EQ(floats, (std::vector<float>{0x1.554p-2f, 0x1p-24f, -65504.0f}));
  const std::vector<half> halves =
      converted<half>(std::vector<float>{0.333251953125f, 65519.0f, 65520.0f});
  EXPECT_EQ(halves[0].bits(), 0x3555);
  EXPECT_EQ(halves[1].bits(), 0x7bff);
  EXPECT_EQ(halves[2].bits(), 0x7c00);
}

TEST(BulkConversion, FloatsTruncateAndSaturateToIntegers) {
  EXPECT_EQ(converted<std::int8_t>(std::vector<float>{-1.9f, 300.0f, -300.0f, NAN}),
            (std::vector<std::int8_t>{-1, 127, -128, 0}));
  EXPECT_EQ(converted<std::uint32_t>(std::vector<double>{-5, 4294967295.9, 1e300}),
            (std::vector<std::uint32_t>{0, 4294967295u, 4294967295u}));
}

TEST(BulkConversion, IntegersWrapToIntegers) {
  EXPECT_EQ(converted<std::uint8_t>(std::vector<std::int32_t>{-1, 256, 511}),
            (std::vector<std::uint8_t>{255, 0, 255}));
  EXPECT_EQ(converted<std::int64_t>(std::vector<std::int8_t>{-1, 5}),
            (std::vector<std::int64_t>{-1, 5}));
  EXPECT_EQ(converted<std::int64_t>(std::vector<std::uint32_t>{4294967295u}),
            (std::vector<std::int64_t>{4294967295}));
}

TEST(BulkConversion, WideIntegersRoundOnce) {
  // Halfway between two f32 but for the last bit, which a double cannot hold.
  constexpr std::int64_t value = (std::int64_t{1} << 62) + (std::int64_t{1} << 38) + 1;
  EXPECT_EQ(converted<float>(std::vector<std::int64_t>{value}),
            (std::vector<float>{0x1.000002p62f}));
}

TEST(BulkConversion, WorksAtAnyAlignment) {
  std::vector<std::byte> source(1 + 3 * sizeof(float));
  std::vector<std::byte> target(1 + 3 * sizeof(std::uint16_t));
  const float floats[] = {1.0f, -2.0f, 0.5f};
  std::memcpy(source.data() + 1, floats, sizeof(floats));
  tw::numeric::convert(source.data() + 1, DType::f32, target.data() + 1, DType::bf16, 3);
  std::uint16_t bits[3];
  std::memcpy(bits, target.data() + 1, sizeof(bits));
  EXPECT_EQ(bits[0], 0x3f80);
  EXPECT_EQ(bits[1], 0xc000);
  EXPECT_EQ(bits[2], 0x3f00);
}

TEST(BulkConversion, ConvertsNothing) {
  tw::numeric::convert(nullptr, DType::f32, nullptr, DType::f16, 0);
}

}  // namespace
