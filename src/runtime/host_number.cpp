// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <tilewright/core/float_conversion.hpp>
#include <tilewright/runtime/host_number.hpp>

namespace tw::inline v0::detail {
namespace {

/// An integer in the type it was passed in.
struct Integer {
  std::int64_t bits;
  bool negative;
};

/// Puts an integer into an integer type of `width` bits.
HostNumber to_integer(Integer value, int width, bool is_signed) noexcept {
  const auto magnitude_bits = static_cast<std::uint64_t>(value.bits);
  if (width == 1) return {magnitude_bits & 1, !value.negative && magnitude_bits <= 1};
  const int shift = 64 - width;
  const auto extended = static_cast<std::int64_t>(magnitude_bits << shift) >> shift;
  const auto zero_extended = magnitude_bits << shift >> shift;
  const bool fits = is_signed ? extended == value.bits && (extended < 0) == value.negative
                              : zero_extended == magnitude_bits && !value.negative;
  return {static_cast<std::uint64_t>(extended), fits};
}

HostNumber integer_from(double value, int width, bool is_signed) noexcept {
  constexpr double beyond_signed = 0x1p63;
  constexpr double beyond_unsigned = 0x1p64;
  if (std::trunc(value) != value || value < -beyond_signed || value >= beyond_unsigned) {
    return {0, false};
  }
  if (value >= beyond_signed) {
    const auto bits = static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
    return to_integer({bits, false}, width, is_signed);
  }
  return to_integer({static_cast<std::int64_t>(value), value < 0}, width, is_signed);
}

/// What an element kind holds is a pattern shifted to where it lies in memory.
std::uint64_t in_memory(std::uint64_t pattern, ElementKind kind) noexcept {
  return pattern << info(kind).format.memory_shift;
}

HostNumber float_from_integer(Number number, ElementKind kind) noexcept {
  using numeric::Overflow;
  const bool is_signed = number.kind() == Number::Kind::signed_integer;
  const auto unsigned_value = static_cast<std::uint64_t>(number.integer());
  const std::uint64_t pattern =
      is_signed ? numeric::encode_signed(number.integer(), kind, Rounding::nearest_even,
                                         Overflow::special)
                : numeric::encode_unsigned(unsigned_value, kind, Rounding::nearest_even,
                                           Overflow::special);
  const double held = numeric::decode(pattern, kind);
  const HostNumber back = integer_from(held, 64, is_signed);
  return {in_memory(pattern, kind), back.fits && back.bits == unsigned_value};
}

HostNumber float_from_float(double value, ElementKind kind) noexcept {
  const FloatFormat& format = info(kind).format;
  const std::uint64_t pattern =
      numeric::encode(value, kind, Rounding::nearest_even, numeric::Overflow::special);
  const double held = numeric::decode(pattern, kind);
  bool fits = true;
  if (std::isnan(value)) {
    fits = format.has_nan;
  } else if (std::isinf(value)) {
    fits = held == value;
  } else if (!format.has_sign && std::signbit(value)) {
    fits = false;
  } else {
    // Rounding moves a number by less than its size; beyond the largest it goes further.
    const double largest = numeric::decode(format.max_finite(), kind);
    fits = std::isfinite(held) && (std::fabs(held) < largest || std::fabs(value) < 2 * largest);
  }
  return {in_memory(pattern, kind), fits};
}

}  // namespace

HostNumber host_number(Number number, DType dtype) noexcept {
  const ElementKind kind = element_kind(dtype);
  const bool from_float = number.kind() == Number::Kind::floating_point;
  if (info(kind).is_float()) {
    return from_float ? float_from_float(number.floating(), kind)
                      : float_from_integer(number, kind);
  }
  const int width = info(kind).bits;
  const bool is_signed = info(dtype).is_signed;
  if (from_float) return integer_from(number.floating(), width, is_signed);
  const bool negative = number.kind() == Number::Kind::signed_integer && number.integer() < 0;
  return to_integer({number.integer(), negative}, width, is_signed);
}

}  // namespace tw::inline v0::detail
