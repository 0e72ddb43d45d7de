// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/rounding.hpp>

// Conversions between numbers and the bit patterns of the floating-point formats. Every finite
// number of every format is a double, so decoding is exact, and encoding the decoded number in
// another format rounds once.
//
// f8e8m0 and f8e5m3 have no sign: they take the magnitude of a number, as the devices and MLIR do.
// f8e8m0 has no zero: what rounds below 2^-127, zero included, gives 2^-127. f4e2m1 has no NaN:
// like the devices it takes a NaN to its largest number, 6. A NaN stays a quiet NaN elsewhere and
// keeps its sign and the leading bits of its payload where the format has them.

namespace tw::inline v0::numeric {

/// What becomes of a number that rounds beyond the largest finite one of its format. A rounding
/// that leads toward zero gives that largest number in any case.
enum class Overflow : std::uint8_t {
  /// As the devices convert: formats of at most 8 bits give the largest finite number of that sign,
  /// for infinities too (PTX `cvt.satfinite`, which tileiras emits); wider ones infinity.
  device,
  /// As MLIR and IEEE 754: infinity, else NaN, else the largest finite number.
  special,
};

/// The pattern of `value` in the format of `to`, rounded once. `to` must be a float kind.
TILEWRIGHT_API std::uint64_t encode(double value, ElementKind to,
                                    Rounding rounding = Rounding::nearest_even,
                                    Overflow overflow = Overflow::device) noexcept;

/// The pattern of an integer in the format of `to`, rounded once. `to` must be a float kind.
TILEWRIGHT_API std::uint64_t encode_signed(std::int64_t value, ElementKind to,
                                           Rounding rounding = Rounding::nearest_even,
                                           Overflow overflow = Overflow::device) noexcept;
TILEWRIGHT_API std::uint64_t encode_unsigned(std::uint64_t value, ElementKind to,
                                             Rounding rounding = Rounding::nearest_even,
                                             Overflow overflow = Overflow::device) noexcept;

/// The number that a pattern of the format of `from` stands for, exactly. Bits above the pattern
/// are ignored. `from` must be a float kind.
TILEWRIGHT_API double decode(std::uint64_t pattern, ElementKind from) noexcept;

/// The integer part of `value`, or the nearest number of `Int` when that is beyond its range; zero
/// for NaN. `bool` is an integer of one bit.
template <std::integral Int>
constexpr Int saturate_to(double value) noexcept {
  if constexpr (std::same_as<Int, bool>) return value >= 1;
  using Limits = std::numeric_limits<Int>;
  constexpr auto lowest = static_cast<double>(Limits::min());
  // 2^digits, one more than the largest: a double, while the largest need not be one.
  constexpr double beyond = 2.0 * static_cast<double>(std::uint64_t{1} << (Limits::digits - 1));
  if (value != value) return Int{};
  if (value <= lowest) return Limits::min();
  if (value >= beyond) return Limits::max();
  return static_cast<Int>(value);
}

/// `value`, or zero of the same sign when it is subnormal.
TILEWRIGHT_API float flush_to_zero(float value) noexcept;

}  // namespace tw::inline v0::numeric
