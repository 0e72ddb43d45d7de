// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tilewright/core/float_format.hpp>

namespace tw::inline v0 {

/// The element types of Tile IR. Integers are signless: an op says how it reads them.
enum class ElementKind : std::uint8_t {
  i1,
  i4,
  i8,
  i16,
  i32,
  i64,
  f16,
  bf16,
  tf32,
  f32,
  f64,
  f8e4m3,
  f8e5m2,
  f8e8m0,
  f8e5m3,
  f4e2m1,
};
inline constexpr std::size_t element_kind_count = 16;

/// The element types of C++ programs, where signedness belongs to the type.
enum class DType : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  f16,
  bf16,
  tf32,
  f32,
  f64,
  f8e4m3,
  f8e5m2,
  f8e8m0,
  f8e5m3,
  f4e2m1,
};
inline constexpr std::size_t dtype_count = 19;

/// What is fixed about an element kind.
struct ElementKindInfo {
  /// The version of Tile IR that introduced a kind.
  struct Since {
    std::uint8_t major;
    std::uint8_t minor;
    friend constexpr auto operator<=>(const Since&, const Since&) = default;
  };

  std::string_view name;  ///< in Tile IR text
  std::uint8_t tag;       ///< on the wire
  std::uint8_t bits;      ///< of a value
  /// Bits an element takes in a tensor: i1 a byte, tf32 four bytes; i4 and f4e2m1 are packed, the
  /// element of even index in the low half of the byte.
  std::uint8_t memory_bits;
  Since since;
  FloatFormat format = {};  ///< empty for integers

  [[nodiscard]] constexpr bool is_float() const { return format.bits != 0; }
  /// Bytes of one unpacked element, as a C++ object holds it: i4 and f4e2m1 in the low half of one.
  [[nodiscard]] constexpr std::size_t storage_bytes() const { return (memory_bits + 7u) / 8u; }
};

/// What is fixed about a C++ element type; the rest is in the row of its element kind.
struct DTypeInfo {
  std::string_view name;  ///< as C++ spells it, without its namespace
  ElementKind kind;
  bool is_signed;
};

namespace detail {
inline constexpr ElementKindInfo element_kinds[element_kind_count] = {
    {.name = "i1", .tag = 0, .bits = 1, .memory_bits = 8, .since = {13, 1}},
    {.name = "i4", .tag = 22, .bits = 4, .memory_bits = 4, .since = {13, 3}},
    {.name = "i8", .tag = 1, .bits = 8, .memory_bits = 8, .since = {13, 1}},
    {.name = "i16", .tag = 2, .bits = 16, .memory_bits = 16, .since = {13, 1}},
    {.name = "i32", .tag = 3, .bits = 32, .memory_bits = 32, .since = {13, 1}},
    {.name = "i64", .tag = 4, .bits = 64, .memory_bits = 64, .since = {13, 1}},
    {"f16", 5, 16, 16, {13, 1}, formats::f16},
    {"bf16", 6, 16, 16, {13, 1}, formats::bf16},
    {"tf32", 8, 19, 32, {13, 1}, formats::tf32},
    {"f32", 7, 32, 32, {13, 1}, formats::f32},
    {"f64", 9, 64, 64, {13, 1}, formats::f64},
    {"f8E4M3FN", 10, 8, 8, {13, 1}, formats::f8e4m3},
    {"f8E5M2", 11, 8, 8, {13, 1}, formats::f8e5m2},
    {"f8E8M0FNU", 18, 8, 8, {13, 2}, formats::f8e8m0},
    {"fnv8E5M3FNU", 130, 8, 8, {13, 4}, formats::f8e5m3},
    {"f4E2M1FN", 19, 4, 4, {13, 3}, formats::f4e2m1},
};

inline constexpr DTypeInfo dtypes[dtype_count] = {
    {"bool", ElementKind::i1, false},       {"int8_t", ElementKind::i8, true},
    {"int16_t", ElementKind::i16, true},    {"int32_t", ElementKind::i32, true},
    {"int64_t", ElementKind::i64, true},    {"uint8_t", ElementKind::i8, false},
    {"uint16_t", ElementKind::i16, false},  {"uint32_t", ElementKind::i32, false},
    {"uint64_t", ElementKind::i64, false},  {"half", ElementKind::f16, true},
    {"bf16", ElementKind::bf16, true},      {"tf32", ElementKind::tf32, true},
    {"float", ElementKind::f32, true},      {"double", ElementKind::f64, true},
    {"f8e4m3", ElementKind::f8e4m3, true},  {"f8e5m2", ElementKind::f8e5m2, true},
    {"f8e8m0", ElementKind::f8e8m0, false}, {"f8e5m3", ElementKind::f8e5m3, false},
    {"f4e2m1", ElementKind::f4e2m1, true},
};
}  // namespace detail

/// The table row of an element kind.
constexpr const ElementKindInfo& info(ElementKind kind) {
  return detail::element_kinds[static_cast<std::size_t>(kind)];
}

/// The table row of a C++ element type.
constexpr const DTypeInfo& info(DType dtype) {
  return detail::dtypes[static_cast<std::size_t>(dtype)];
}

/// The element kind that values of a C++ element type have in Tile IR.
constexpr ElementKind element_kind(DType dtype) { return info(dtype).kind; }

/// Whether values of a C++ element type are floating-point numbers.
constexpr bool is_float(DType dtype) { return info(element_kind(dtype)).is_float(); }

/// The size of an object of a C++ element type. A tensor packs two f4e2m1 into a byte.
constexpr std::size_t storage_bytes(DType dtype) {
  return info(element_kind(dtype)).storage_bytes();
}

/// Whether two elements of a C++ element type share a byte of a tensor, as f4e2m1 do.
constexpr bool shares_bytes(DType dtype) { return info(element_kind(dtype)).memory_bits < 8; }

/// The element kind that Tile IR text spells `name`.
constexpr std::optional<ElementKind> element_kind_named(std::string_view name) {
  for (std::size_t i = 0; i < element_kind_count; ++i) {
    if (detail::element_kinds[i].name == name) return static_cast<ElementKind>(i);
  }
  return std::nullopt;
}

/// The element kind with this tag on the wire.
constexpr std::optional<ElementKind> element_kind_tagged(std::uint64_t tag) {
  for (std::size_t i = 0; i < element_kind_count; ++i) {
    if (detail::element_kinds[i].tag == tag) return static_cast<ElementKind>(i);
  }
  return std::nullopt;
}

/// The C++ element type of this kind; `is_signed` decides between those of integers wider than one
/// bit. No C++ type has kind i4.
constexpr std::optional<DType> dtype_of_kind(ElementKind kind, bool is_signed = true) {
  const bool sign_matters = !info(kind).is_float() && kind != ElementKind::i1;
  for (std::size_t i = 0; i < dtype_count; ++i) {
    const DTypeInfo& row = detail::dtypes[i];
    if (row.kind == kind && (!sign_matters || row.is_signed == is_signed)) {
      return static_cast<DType>(i);
    }
  }
  return std::nullopt;
}

/// The C++ element type spelled `name`.
constexpr std::optional<DType> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < dtype_count; ++i) {
    if (detail::dtypes[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

}  // namespace tw::inline v0
