// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <tilewright/core/float_conversion.hpp>
#include <tilewright/core/float_format.hpp>
#include <tilewright/core/rounding.hpp>

// The one place that rounds: exact numbers, an integer times a power of two, become patterns.

namespace tw::inline v0::numeric {

/// The parts of a double or of an exact result: (-1)^negative * significand * 2^exponent.
template <class Significand>
struct Scaled {
  bool negative;
  Significand significand;
  int exponent;
};

/// The parts of a finite double.
constexpr Scaled<std::uint64_t> scaled(double value) {
  constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto field = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & (hidden - 1);
  const bool negative = bits >> 63 != 0;
  if (field == 0) return {negative, fraction, -1074};
  return {negative, fraction | hidden, field - 1075};
}

/// 2^exponent, a normal double.
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

__extension__ typedef unsigned __int128 uint128;

constexpr int leading_zeros(std::uint64_t value) { return std::countl_zero(value); }
constexpr int leading_zeros(uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? std::countl_zero(high)
                   : 64 + std::countl_zero(static_cast<std::uint64_t>(value));
}

/// The mode that hardware rounds in, and what the modes that ask for less than it are taken as.
constexpr bool is_nearest_even(Rounding rounding) {
  return rounding == Rounding::nearest_even || rounding == Rounding::approx ||
         rounding == Rounding::full;
}

/// What lies below the last bit kept: `half` whether it is at least half of that bit, `rest`
/// whether there is more than none or half.
struct Remainder {
  bool half;
  bool rest;
};

constexpr bool rounds_away(Rounding rounding, bool negative, bool odd, Remainder remainder) {
  const bool inexact = remainder.half || remainder.rest;
  switch (rounding) {
    case Rounding::zero:
    case Rounding::nearest_int_to_zero:
      return false;
    case Rounding::negative_inf:
      return negative && inexact;
    case Rounding::positive_inf:
      return !negative && inexact;
    case Rounding::nearest_away:
      return remainder.half;
    case Rounding::nearest_even:
    case Rounding::approx:
    case Rounding::full:
      break;
  }
  return remainder.half && (remainder.rest || odd);
}

/// The magnitude that a number beyond the largest finite one gets.
constexpr std::uint64_t overflowed(const FloatFormat& format, bool negative, Rounding rounding,
                                   Overflow overflow) {
  const bool clamps = overflow == Overflow::device && format.bits <= 8;
  const bool has_beyond = format.has_infinity || format.has_nan;
  const bool away = rounds_away(rounding, negative, true, {.half = true, .rest = true});
  if (clamps || !has_beyond || !away) return format.max_finite();
  return format.has_infinity ? format.infinity() : format.quiet_nan();
}

/// The pattern of zero, or of the smallest number of a format that has none.
constexpr std::uint64_t zero_pattern(const FloatFormat& format, bool negative) {
  return negative ? format.sign_mask() : 0;
}

constexpr std::uint64_t infinity_pattern(const FloatFormat& format, bool negative,
                                         Overflow overflow) {
  return zero_pattern(format, negative) |
         overflowed(format, negative, Rounding::nearest_even, overflow);
}

/// Rounds a nonzero number to a pattern. The lowest bit of the significand may stand for any
/// nonzero remainder if the significand has at least two bits more than the format.
template <class Significand>
constexpr std::uint64_t round_to(const FloatFormat& format, Scaled<Significand> value,
                                 Rounding rounding, Overflow overflow) {
  constexpr int width = 8 * sizeof(Significand);
  const bool negative = format.has_sign && value.negative;
  const std::uint64_t sign = zero_pattern(format, negative);

  const int leading = leading_zeros(value.significand);
  const Significand significand = value.significand << leading;
  const int last = value.exponent - leading;
  const int top = last + width - 1;
  if (top > format.max_exponent()) return sign | overflowed(format, negative, rounding, overflow);

  // Below the smallest normal number the spacing stays that of subnormals.
  const int exponent = top < format.min_exponent() ? format.min_exponent() : top;
  const int dropped = exponent - format.fraction_bits() - last;
  Significand kept = 0;
  Remainder remainder{.half = false, .rest = true};
  if (dropped <= width) {
    const Significand half = Significand{1} << (dropped - 1);
    remainder = {.half = (significand & half) != 0, .rest = (significand & (half - 1)) != 0};
    if (dropped < width) kept = significand >> dropped;
  }

  // The hidden bit and a carry out of the significand count up the exponent field by themselves.
  std::uint64_t magnitude =
      static_cast<std::uint64_t>(kept) +
      (static_cast<std::uint64_t>(exponent - format.min_exponent()) << format.fraction_bits());
  magnitude += rounds_away(rounding, negative, (kept & 1) != 0, remainder);
  if (!format.has_zero && magnitude != 0) --magnitude;
  if (magnitude > format.max_finite()) {
    magnitude = overflowed(format, negative, rounding, overflow);
  }
  return sign | magnitude;
}

/// The pattern of a quiet NaN with the sign and the leading payload bits of a double that is NaN.
constexpr std::uint64_t nan_pattern(const FloatFormat& format, double nan) {
  if (!format.has_nan) return format.max_finite();
  const auto bits = std::bit_cast<std::uint64_t>(nan);
  const std::uint64_t sign = zero_pattern(format, bits >> 63 != 0);
  if (!format.has_infinity) return sign | format.quiet_nan();
  const std::uint64_t payload = (bits & 0xfffffffffffffULL) >> (52 - format.fraction_bits());
  return sign | format.quiet_nan() | payload;
}

/// The pattern of any double.
constexpr std::uint64_t encode_double(const FloatFormat& format, double value, Rounding rounding,
                                      Overflow overflow) {
  constexpr std::uint64_t infinity = formats::f64.infinity();
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = bits & formats::f64.magnitude_mask();
  const bool negative = bits != magnitude;
  if (magnitude > infinity) return nan_pattern(format, value);
  if (format.bits == 64) return bits;
  if (magnitude == 0) return zero_pattern(format, negative);
  if (magnitude == infinity) return infinity_pattern(format, negative, overflow);
  return round_to(format, scaled(value), rounding, overflow);
}

/// The pattern of any double in a format of less precision, to nearest even: fewer steps than
/// `encode_double`, and the same result.
///
/// Next to 2^(e+52) doubles are 2^e apart. So adding the right power of two lets the hardware round
/// to the spacing of the format, and leaves the significand in the lowest bits of the sum.
inline std::uint64_t encode_nearest(const FloatFormat& format, double value, Overflow overflow) {
  const std::uint64_t magnitude =
      std::bit_cast<std::uint64_t>(value) & formats::f64.magnitude_mask();
  const int top = static_cast<int>(magnitude >> 52) - 1023;
  if (top > format.max_exponent()) {
    return encode_double(format, value, Rounding::nearest_even, overflow);
  }
  const int exponent = top < format.min_exponent() ? format.min_exponent() : top;
  const double spacing = power_of_two(exponent - format.fraction_bits() + 52);
  const double sum = std::bit_cast<double>(magnitude) + spacing;
  std::uint64_t pattern =
      std::bit_cast<std::uint64_t>(sum) - std::bit_cast<std::uint64_t>(spacing) +
      (static_cast<std::uint64_t>(exponent - format.min_exponent()) << format.fraction_bits());
  if (!format.has_zero && pattern != 0) --pattern;
  const std::uint64_t sign = zero_pattern(format, std::signbit(value));
  if (pattern > format.max_finite()) {
    pattern = overflowed(format, sign != 0, Rounding::nearest_even, overflow);
  }
  return sign | pattern;
}

/// The pattern of any integer.
constexpr std::uint64_t encode_integer(const FloatFormat& format, bool negative,
                                       std::uint64_t magnitude, Rounding rounding,
                                       Overflow overflow) {
  if (magnitude == 0) return zero_pattern(format, false);
  return round_to(format, Scaled<std::uint64_t>{negative, magnitude, 0}, rounding, overflow);
}

/// The double that a pattern stands for.
constexpr double decode_pattern(const FloatFormat& format, std::uint64_t pattern) {
  const std::uint64_t magnitude = pattern & format.magnitude_mask();
  const std::uint64_t sign = (pattern & format.sign_mask()) != 0 ? formats::f64.sign_mask() : 0;
  if (format.bits == 64 && !format.is_nan(pattern)) return std::bit_cast<double>(pattern);
  if (magnitude > format.max_finite()) {
    if (!format.is_nan(pattern)) return std::bit_cast<double>(sign | formats::f64.infinity());
    const std::uint64_t payload =
        format.has_infinity ? (magnitude - format.infinity()) << (52 - format.fraction_bits()) : 0;
    return std::bit_cast<double>(sign | formats::f64.quiet_nan() | payload);
  }
  const std::uint64_t hidden = std::uint64_t{1} << format.fraction_bits();
  const auto field = static_cast<int>(magnitude >> format.fraction_bits());
  const bool subnormal = format.has_zero && field == 0;
  const std::uint64_t significand = (magnitude & (hidden - 1)) | (subnormal ? 0 : hidden);
  const int exponent = (subnormal ? 1 : field) - format.bias - format.fraction_bits();
  const double value = static_cast<double>(significand) * power_of_two(exponent);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | sign);
}

}  // namespace tw::inline v0::numeric
