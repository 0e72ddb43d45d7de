// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <tilewright/core/element.hpp>
#include <tilewright/core/error.hpp>

#include "interp/isa.hpp"

namespace tw::inline v0::interp {

/// f16 or bf16 as it lies in an arena. Arithmetic widens to double and rounds back once: a sum,
/// product, quotient or root of such numbers, rounded to the 53 bits of a double, never lands on a
/// tie between two of them without being one.
template <class Number, FloatFormat Format>
struct ShortFloat {
  using Storage = std::uint16_t;
  using Wide = double;
  using Element = Number;

  TILEWRIGHT_INLINE static double widen(Storage bits) {
    constexpr std::uint32_t infinity = Format.infinity();
    constexpr int shift = 23 - Format.fraction_bits();
    const std::uint32_t magnitude = bits & 0x7fffu;
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    std::uint32_t wide = (magnitude << shift) + ((127u - Format.bias) << 23);
    if constexpr (Format.bias != 127) {
      const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
      wide = magnitude < (1u << Format.fraction_bits()) ? std::bit_cast<std::uint32_t>(subnormal)
                                                        : wide;
      wide = magnitude >= infinity ? (magnitude << shift) | 0x7f800000u : wide;
    }
    return static_cast<double>(std::bit_cast<float>(wide | sign));
  }

  TILEWRIGHT_INLINE static Storage narrow(double value) {
    constexpr int shift = 52 - Format.fraction_bits();
    constexpr std::uint64_t rebias = std::uint64_t{1023 - Format.bias} << 52;
    constexpr double smallest_normal = power_of_two(Format.min_exponent());
    // Doubles from here to twice as much are spaced like the format's subnormals.
    constexpr double subnormal_anchor =
        power_of_two(Format.min_exponent() - Format.fraction_bits() + 52);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude_bits = bits & ~(std::uint64_t{1} << 63);
    const auto magnitude = std::bit_cast<double>(magnitude_bits);

    const std::uint64_t to_even = (magnitude_bits >> shift) & 1;
    const std::uint64_t half = (std::uint64_t{1} << (shift - 1)) - 1;
    std::uint64_t result = (magnitude_bits - rebias + half + to_even) >> shift;
    result = magnitude >= power_of_two(Format.max_exponent() + 1) ? Format.infinity() : result;
    const std::uint64_t subnormal = std::bit_cast<std::uint64_t>(magnitude + subnormal_anchor) -
                                    std::bit_cast<std::uint64_t>(subnormal_anchor);
    result = magnitude < smallest_normal ? subnormal : result;
    const std::uint64_t nan =
        Format.quiet_nan() | ((magnitude_bits >> shift) & (Format.infinity() - 1) &
                              ((std::uint64_t{1} << Format.fraction_bits()) - 1));
    result = magnitude_bits > infinity_bits ? nan : result;
    return static_cast<Storage>(result | (bits >> 63) << 15);
  }

 private:
  static constexpr std::uint64_t infinity_bits = std::uint64_t{0x7ff} << 52;

  static constexpr double power_of_two(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
  }
};

/// f32 or f64: arithmetic is the machine's.
template <class Number>
struct NativeFloat {
  using Storage = Number;
  using Wide = Number;
  using Element = Number;

  TILEWRIGHT_INLINE static Number widen(Number value) { return value; }
  TILEWRIGHT_INLINE static Number narrow(Number value) { return value; }
};

using F16 = ShortFloat<half, formats::f16>;
using BF16 = ShortFloat<bf16, formats::bf16>;
using F32 = NativeFloat<float>;
using F64 = NativeFloat<double>;

/// Calls `use.operator()<F>()` with the description of a float kind that has arithmetic.
template <class Use>
decltype(auto) with_float(ElementKind kind, Use&& use) {
  switch (kind) {
    case ElementKind::f16:
      return use.template operator()<F16>();
    case ElementKind::bf16:
      return use.template operator()<BF16>();
    case ElementKind::f32:
      return use.template operator()<F32>();
    case ElementKind::f64:
      return use.template operator()<F64>();
    default:
      throw BugError("float arithmetic on other elements", Location::current());
  }
}

}  // namespace tw::inline v0::interp
