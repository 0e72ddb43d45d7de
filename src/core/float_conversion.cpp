// SPDX-License-Identifier: Apache-2.0
#include <tilewright/core/float_conversion.hpp>

#include "core/float_rounding.hpp"

namespace tw::inline v0::numeric {

std::uint64_t encode(double value, ElementKind to, Rounding rounding, Overflow overflow) noexcept {
  const FloatFormat& format = info(to).format;
  if (is_nearest_even(rounding) && to != ElementKind::f64) {
    return encode_nearest(format, value, overflow);
  }
  return encode_double(format, value, rounding, overflow);
}

std::uint64_t encode_signed(std::int64_t value, ElementKind to, Rounding rounding,
                            Overflow overflow) noexcept {
  const auto bits = static_cast<std::uint64_t>(value);
  return encode_integer(info(to).format, value < 0, value < 0 ? -bits : bits, rounding, overflow);
}

std::uint64_t encode_unsigned(std::uint64_t value, ElementKind to, Rounding rounding,
                              Overflow overflow) noexcept {
  return encode_integer(info(to).format, false, value, rounding, overflow);
}

double decode(std::uint64_t pattern, ElementKind from) noexcept {
  return decode_pattern(info(from).format, pattern);
}

float flush_to_zero(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool subnormal = (bits & 0x7f800000u) == 0;
  return subnormal ? std::bit_cast<float>(bits & 0x80000000u) : value;
}

}  // namespace tw::inline v0::numeric
