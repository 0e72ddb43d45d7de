// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <type_traits>

#include <gtest/gtest.h>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/element.hpp>

namespace {

using tw::DType;
using tw::ElementKind;
using tw::FloatFormat;

// The element kinds as section 1.1 of the Tile IR reference lists them.
struct WireRow {
  ElementKind kind;
  const char* name;
  std::uint64_t tag;
  int bits;
  std::size_t storage_bytes;
};
constexpr WireRow wire_rows[] = {
    {ElementKind::i1, "i1", 0, 1, 1},
    {ElementKind::i8, "i8", 1, 8, 1},
    {ElementKind::i16, "i16", 2, 16, 2},
    {ElementKind::i32, "i32", 3, 32, 4},
    {ElementKind::i64, "i64", 4, 64, 8},
    {ElementKind::f16, "f16", 5, 16, 2},
    {ElementKind::bf16, "bf16", 6, 16, 2},
    {ElementKind::f32, "f32", 7, 32, 4},
    {ElementKind::tf32, "tf32", 8, 19, 4},
    {ElementKind::f64, "f64", 9, 64, 8},
    {ElementKind::f8e4m3, "f8E4M3FN", 10, 8, 1},
    {ElementKind::f8e5m2, "f8E5M2", 11, 8, 1},
    {ElementKind::f8e8m0, "f8E8M0FNU", 18, 8, 1},
    {ElementKind::f4e2m1, "f4E2M1FN", 19, 4, 1},
    {ElementKind::i4, "i4", 22, 4, 1},
    {ElementKind::f8e5m3, "fnv8E5M3FNU", 130, 8, 1},
};

TEST(ElementKind, NamesTagsAndSizesAreThoseOfTileIr) {
  EXPECT_EQ(std::size(wire_rows), tw::element_kind_count);
  for (const WireRow& row : wire_rows) {
    SCOPED_TRACE(row.name);
    const tw::ElementKindInfo& info = tw::info(row.kind);
    EXPECT_EQ(info.name, row.name);
    EXPECT_EQ(info.tag, row.tag);
    EXPECT_EQ(info.bits, row.bits);
    EXPECT_EQ(info.storage_bytes(), row.storage_bytes);
    EXPECT_EQ(tw::element_kind_named(row.name), row.kind);
    EXPECT_EQ(tw::element_kind_tagged(row.tag), row.kind);
  }
  EXPECT_EQ(tw::element_kind_named("f8e4m3fn"), std::nullopt);
  EXPECT_EQ(tw::element_kind_named(""), std::nullopt);
  EXPECT_EQ(tw::element_kind_tagged(12), std::nullopt);
}

TEST(ElementKind, FourBitKindsArePackedInTensors) {
  EXPECT_EQ(tw::info(ElementKind::f4e2m1).memory_bits, 4);
  EXPECT_EQ(tw::info(ElementKind::i4).memory_bits, 4);
  EXPECT_EQ(tw::info(ElementKind::i1).memory_bits, 8);
  EXPECT_EQ(tw::info(ElementKind::tf32).memory_bits, 32);
}

TEST(ElementKind, KnowsTheVersionThatIntroducedIt) {
  using Since = tw::ElementKindInfo::Since;
  EXPECT_EQ(tw::info(ElementKind::f32).since, (Since{13, 1}));
  EXPECT_EQ(tw::info(ElementKind::f8e8m0).since, (Since{13, 2}));
  EXPECT_EQ(tw::info(ElementKind::i4).since, (Since{13, 3}));
  EXPECT_EQ(tw::info(ElementKind::f4e2m1).since, (Since{13, 3}));
  EXPECT_EQ(tw::info(ElementKind::f8e5m3).since, (Since{13, 4}));
}

// Precision and exponent ranges as section 2.3 of the Tile IR reference lists them; largest numbers
// from the publications of the formats.
TEST(FloatFormat, RangesAreThePublishedOnes) {
  struct Row {
    FloatFormat format;
    int exponent_bits, precision, min_exponent, max_exponent;
    std::uint64_t max_finite;
  };
  for (const Row& row :
       {Row{tw::formats::f4e2m1, 2, 2, 0, 2, 0x7}, Row{tw::formats::f8e4m3, 4, 4, -6, 8, 0x7e},
        Row{tw::formats::f8e5m2, 5, 3, -14, 15, 0x7b},
        Row{tw::formats::f8e8m0, 8, 1, -127, 127, 0xfe},
        Row{tw::formats::f8e5m3, 5, 4, -14, 16, 0xfe},
        Row{tw::formats::f16, 5, 11, -14, 15, 0x7bff},
        Row{tw::formats::bf16, 8, 8, -126, 127, 0x7f7f},
        Row{tw::formats::tf32, 8, 11, -126, 127, 0x3fbff},
        Row{tw::formats::f32, 8, 24, -126, 127, 0x7f7fffff},
        Row{tw::formats::f64, 11, 53, -1022, 1023, 0x7fefffffffffffff}}) {
    EXPECT_EQ(row.format.exponent_bits(), row.exponent_bits);
    EXPECT_EQ(row.format.precision, row.precision);
    EXPECT_EQ(row.format.min_exponent(), row.min_exponent);
    EXPECT_EQ(row.format.max_exponent(), row.max_exponent);
    EXPECT_EQ(row.format.max_finite(), row.max_finite);
  }
}

TEST(FloatFormat, KnowsItsNans) {
  EXPECT_TRUE(tw::formats::f8e4m3.is_nan(0x7f));
  EXPECT_TRUE(tw::formats::f8e4m3.is_nan(0xff));
  EXPECT_FALSE(tw::formats::f8e4m3.is_nan(0xfe));
  EXPECT_FALSE(tw::formats::f8e5m2.is_nan(0x7c));
  EXPECT_TRUE(tw::formats::f8e5m2.is_nan(0x7d));
  EXPECT_TRUE(tw::formats::f8e8m0.is_nan(0xff));
  EXPECT_TRUE(tw::formats::f8e5m3.is_nan(0xff));
  EXPECT_FALSE(tw::formats::f4e2m1.is_nan(0x7));
  EXPECT_TRUE(tw::formats::f16.is_nan(0xfc01));
  EXPECT_FALSE(tw::formats::f16.is_nan(0xfc00));
}

TEST(DType, NamesRoundTripAndAreDistinct) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < tw::dtype_count; ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_EQ(tw::dtype_named(tw::info(dtype).name), dtype);
    names.insert(tw::info(dtype).name);
  }
  EXPECT_EQ(names.size(), tw::dtype_count);
  EXPECT_EQ(tw::dtype_named("long"), std::nullopt);
}

TEST(DType, IsFoundByKindAndSignedness) {
  EXPECT_EQ(tw::dtype_of_kind(ElementKind::i32), DType::int32);
  EXPECT_EQ(tw::dtype_of_kind(ElementKind::i32, false), DType::uint32);
  EXPECT_EQ(tw::dtype_of_kind(ElementKind::i1), DType::boolean);
  EXPECT_EQ(tw::dtype_of_kind(ElementKind::f16, false), DType::f16);
  EXPECT_EQ(tw::dtype_of_kind(ElementKind::f8e8m0), DType::f8e8m0);
  EXPECT_EQ(tw::dtype_of_kind(ElementKind::i4), std::nullopt);
}

template <class T>
void expect_row(const char* name, ElementKind kind, bool is_signed) {
  SCOPED_TRACE(name);
  const tw::DTypeInfo& info = tw::info(tw::dtype_of<T>);
  EXPECT_EQ(info.name, name);
  EXPECT_EQ(info.kind, kind);
  EXPECT_EQ(info.is_signed, is_signed);
  EXPECT_EQ(tw::storage_bytes(tw::dtype_of<T>), sizeof(T));
  EXPECT_TRUE(std::is_trivially_copyable_v<T>);
  EXPECT_TRUE(std::is_trivially_default_constructible_v<T>);
}

TEST(DType, RowsDescribeTheCppTypes) {
  expect_row<bool>("bool", ElementKind::i1, false);
  expect_row<std::int8_t>("int8_t", ElementKind::i8, true);
  expect_row<std::int16_t>("int16_t", ElementKind::i16, true);
  expect_row<std::int32_t>("int32_t", ElementKind::i32, true);
  expect_row<std::int64_t>("int64_t", ElementKind::i64, true);
  expect_row<std::uint8_t>("uint8_t", ElementKind::i8, false);
  expect_row<std::uint16_t>("uint16_t", ElementKind::i16, false);
  expect_row<std::uint32_t>("uint32_t", ElementKind::i32, false);
  expect_row<std::uint64_t>("uint64_t", ElementKind::i64, false);
  expect_row<tw::half>("half", ElementKind::f16, true);
  expect_row<tw::bf16>("bf16", ElementKind::bf16, true);
  expect_row<tw::tf32>("tf32", ElementKind::tf32, true);
  expect_row<float>("float", ElementKind::f32, true);
  expect_row<double>("double", ElementKind::f64, true);
  expect_row<tw::f8e4m3>("f8e4m3", ElementKind::f8e4m3, true);
  expect_row<tw::f8e5m2>("f8e5m2", ElementKind::f8e5m2, true);
  expect_row<tw::f8e8m0>("f8e8m0", ElementKind::f8e8m0, false);
  expect_row<tw::f8e5m3>("f8e5m3", ElementKind::f8e5m3, false);
  expect_row<tw::f4e2m1>("f4e2m1", ElementKind::f4e2m1, true);
}

TEST(Element, IsSealed) {
  static_assert(tw::element<tw::half> && tw::element<bool> && tw::element<std::int64_t>);
  static_assert(!tw::element<long long> && !tw::element<char> && !tw::element<long double>);
  static_assert(!tw::element<const float> && !tw::element<float&> && !tw::element<float*>);
}

TEST(Element, ConvertsOnlyWhenAsked) {
  static_assert(!std::is_convertible_v<float, tw::half> && !std::is_convertible_v<tw::half, float>);
  static_assert(!std::is_convertible_v<int, tw::f8e4m3>);
  EXPECT_EQ(static_cast<float>(tw::half(1.5f)), 1.5f);
  EXPECT_EQ(static_cast<double>(tw::bf16(-3)), -3.0);
  EXPECT_EQ(static_cast<double>(tw::tf32(7u)), 7.0);
}

TEST(Element, Tf32LiesInMemoryAsAFloat) {
  EXPECT_EQ(tw::tf32(1.0f).bits(), 0x3f800000u);
  EXPECT_EQ(tw::tf32(-1.5f).bits(), 0xbfc00000u);
  EXPECT_EQ(static_cast<float>(tw::tf32::from_bits(0x40490000)), 3.140625f);
}

TEST(Element, EqualityIsThatOfNumbers) {
  using tw::half;
  EXPECT_EQ(half(2.0f), half(2));
  EXPECT_NE(half(2.0f), half(-2));
  EXPECT_EQ(half(0.0f), half(-0.0f));
  const half nan(std::numeric_limits<float>::quiet_NaN());
  EXPECT_FALSE(nan == nan);
  EXPECT_TRUE(nan != nan);
  EXPECT_FALSE(tw::f8e8m0::from_bits(0xff) == tw::f8e8m0::from_bits(0xff));
  EXPECT_TRUE(tw::f8e8m0::from_bits(0) == tw::f8e8m0::from_bits(0));
  EXPECT_FALSE(tw::f8e8m0::from_bits(0) == tw::f8e8m0::from_bits(1));
}

}  // namespace
