// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/float_conversion.hpp>

namespace tw::inline v0 {

namespace detail {

/// A number of a format without hardware type: its bits as they lie in memory, four-bit ones in the
/// low half of the byte. Trivial, and indeterminate until initialised, like `float`.
template <class Self, ElementKind Kind, std::unsigned_integral Bits>
class SmallFloat {
 public:
  SmallFloat() = default;
  /// The nearest number of the format, ties to even; what is beyond its range as on a device
  /// (numeric::Overflow::device).
  explicit SmallFloat(double value) noexcept : bits_(to_memory(numeric::encode(value, Kind))) {}
  explicit SmallFloat(float value) noexcept : SmallFloat(static_cast<double>(value)) {}
  template <std::signed_integral Int>
  explicit SmallFloat(Int value) noexcept : bits_(to_memory(numeric::encode_signed(value, Kind))) {}
  template <std::unsigned_integral Int>
  explicit SmallFloat(Int value) noexcept
      : bits_(to_memory(numeric::encode_unsigned(value, Kind))) {}

  /// The number whose bits in memory are these.
  static constexpr Self from_bits(Bits bits) noexcept {
    Self result{};
    result.bits_ = bits;
    return result;
  }
  [[nodiscard]] constexpr Bits bits() const noexcept { return bits_; }

  /// The same number, exactly.
  explicit operator double() const noexcept { return numeric::decode(bits_ >> shift, Kind); }
  explicit operator float() const noexcept {
    return static_cast<float>(numeric::decode(bits_ >> shift, Kind));
  }

  /// Equality of numbers: NaN equals nothing, and the zeros equal each other.
  friend constexpr bool operator==(Self a, Self b) noexcept {
    if (format.is_nan(a.pattern()) || format.is_nan(b.pattern())) return false;
    return a.pattern() == b.pattern() ||
           (format.has_zero && ((a.pattern() | b.pattern()) & format.magnitude_mask()) == 0);
  }

 private:
  static constexpr FloatFormat format = info(Kind).format;
  static constexpr int shift = format.memory_shift;

  static Bits to_memory(std::uint64_t pattern) noexcept {
    return static_cast<Bits>(pattern << shift);
  }
  [[nodiscard]] constexpr std::uint64_t pattern() const noexcept { return bits_ >> shift; }

  Bits bits_;
};

}  // namespace detail

// Exported, since a template instantiated in the library for a hidden type would be hidden too.

/// IEEE 754 binary16.
struct TILEWRIGHT_API half : detail::SmallFloat<half, ElementKind::f16, std::uint16_t> {
  using SmallFloat::SmallFloat;
};
/// The upper half of an f32.
struct TILEWRIGHT_API bf16 : detail::SmallFloat<bf16, ElementKind::bf16, std::uint16_t> {
  using SmallFloat::SmallFloat;
};
/// An f32 whose lower 13 fraction bits are not used.
struct TILEWRIGHT_API tf32 : detail::SmallFloat<tf32, ElementKind::tf32, std::uint32_t> {
  using SmallFloat::SmallFloat;
};
/// Up to 448, no infinity.
struct TILEWRIGHT_API f8e4m3 : detail::SmallFloat<f8e4m3, ElementKind::f8e4m3, std::uint8_t> {
  using SmallFloat::SmallFloat;
};
/// Up to 57344, with infinities.
struct TILEWRIGHT_API f8e5m2 : detail::SmallFloat<f8e5m2, ElementKind::f8e5m2, std::uint8_t> {
  using SmallFloat::SmallFloat;
};
/// A power of two from 2^-127 to 2^127: the scale of a block of numbers.
struct TILEWRIGHT_API f8e8m0 : detail::SmallFloat<f8e8m0, ElementKind::f8e8m0, std::uint8_t> {
  using SmallFloat::SmallFloat;
};
/// Without sign, up to 114688: the scale of a block of numbers.
struct TILEWRIGHT_API f8e5m3 : detail::SmallFloat<f8e5m3, ElementKind::f8e5m3, std::uint8_t> {
  using SmallFloat::SmallFloat;
};
/// 0, 0.5, 1, 1.5, 2, 3, 4 or 6 of either sign. Two share a byte of a tensor, so that its last axis
/// has an even extent and every part of it begins and ends between bytes.
struct TILEWRIGHT_API f4e2m1 : detail::SmallFloat<f4e2m1, ElementKind::f4e2m1, std::uint8_t> {
  using SmallFloat::SmallFloat;
};

namespace detail {
template <class T>
struct DTypeOf;
// clang-format off
template <> struct DTypeOf<bool> { static constexpr DType value = DType::boolean; };
template <> struct DTypeOf<std::int8_t> { static constexpr DType value = DType::int8; };
template <> struct DTypeOf<std::int16_t> { static constexpr DType value = DType::int16; };
template <> struct DTypeOf<std::int32_t> { static constexpr DType value = DType::int32; };
template <> struct DTypeOf<std::int64_t> { static constexpr DType value = DType::int64; };
template <> struct DTypeOf<std::uint8_t> { static constexpr DType value = DType::uint8; };
template <> struct DTypeOf<std::uint16_t> { static constexpr DType value = DType::uint16; };
template <> struct DTypeOf<std::uint32_t> { static constexpr DType value = DType::uint32; };
template <> struct DTypeOf<std::uint64_t> { static constexpr DType value = DType::uint64; };
template <> struct DTypeOf<half> { static constexpr DType value = DType::f16; };
template <> struct DTypeOf<bf16> { static constexpr DType value = DType::bf16; };
template <> struct DTypeOf<tf32> { static constexpr DType value = DType::tf32; };
template <> struct DTypeOf<float> { static constexpr DType value = DType::f32; };
template <> struct DTypeOf<double> { static constexpr DType value = DType::f64; };
template <> struct DTypeOf<f8e4m3> { static constexpr DType value = DType::f8e4m3; };
template <> struct DTypeOf<f8e5m2> { static constexpr DType value = DType::f8e5m2; };
template <> struct DTypeOf<f8e8m0> { static constexpr DType value = DType::f8e8m0; };
template <> struct DTypeOf<f8e5m3> { static constexpr DType value = DType::f8e5m3; };
template <> struct DTypeOf<f4e2m1> { static constexpr DType value = DType::f4e2m1; };
// clang-format on
}  // namespace detail

/// A type that tensors and tiles may hold: one of the 19 of `DType`, and no other.
template <class T>
concept element = requires { detail::DTypeOf<T>::value; };

/// The `DType` of an element type.
template <element T>
inline constexpr DType dtype_of = detail::DTypeOf<T>::value;

}  // namespace tw::inline v0
