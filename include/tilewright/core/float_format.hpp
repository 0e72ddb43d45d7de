// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tw::inline v0 {

/// The layout of a binary floating-point format: from the top a sign bit (if any), the biased
/// exponent, and `precision - 1` fraction bits below a hidden one.
///
/// With infinities the top exponent holds infinity (fraction zero) and NaNs, as in IEEE 754. A
/// format with NaN but no infinity spends only the pattern of all ones (either sign) on NaN. A
/// format without zero has no subnormals either: its hidden bit is always set.
struct FloatFormat {
  std::uint8_t bits = 0;       ///< width of a pattern
  std::uint8_t precision = 0;  ///< significant bits, the hidden one included
  std::int16_t bias = 0;       ///< of the exponent field
  bool has_sign = true;
  bool has_zero = true;
  bool has_infinity = true;
  bool has_nan = true;
  /// A pattern lies in memory shifted left by this much: tf32 has the layout of an f32 there.
  std::uint8_t memory_shift = 0;

  bool operator==(const FloatFormat&) const = default;

  [[nodiscard]] constexpr int fraction_bits() const { return precision - 1; }
  [[nodiscard]] constexpr int exponent_bits() const { return bits - has_sign - fraction_bits(); }
  /// The exponent e of the smallest normal number, 2^e.
  [[nodiscard]] constexpr int min_exponent() const { return has_zero - bias; }
  /// The exponent e of the largest finite number, which lies in [2^e, 2^(e+1)).
  [[nodiscard]] constexpr int max_exponent() const {
    return static_cast<int>(max_finite() >> fraction_bits()) - bias;
  }
  /// All bits of a pattern but the sign.
  [[nodiscard]] constexpr std::uint64_t magnitude_mask() const {
    return ~std::uint64_t{0} >> (64 - bits + has_sign);
  }
  /// The sign bit, zero in a format without one.
  [[nodiscard]] constexpr std::uint64_t sign_mask() const {
    return has_sign ? magnitude_mask() + 1 : 0;
  }
  /// The pattern of the largest finite number; every magnitude above it is infinity or NaN.
  [[nodiscard]] constexpr std::uint64_t max_finite() const {
    return has_infinity ? infinity() - 1 : magnitude_mask() - has_nan;
  }
  /// The pattern of infinity, in a format that has it.
  [[nodiscard]] constexpr std::uint64_t infinity() const {
    return magnitude_mask() >> fraction_bits() << fraction_bits();
  }
  /// The pattern of the quiet NaN without payload, in a format that has NaNs.
  [[nodiscard]] constexpr std::uint64_t quiet_nan() const {
    return has_infinity ? infinity() | std::uint64_t{1} << (fraction_bits() - 1) : magnitude_mask();
  }
  [[nodiscard]] constexpr bool is_nan(std::uint64_t pattern) const {
    return has_nan && (pattern & magnitude_mask()) > (has_infinity ? infinity() : max_finite());
  }
};

/// The formats of Tile IR. f8e4m3, f8e5m2: arXiv 2209.05433; f8e8m0, f4e2m1: OCP Microscaling
/// Formats 1.0; f8e5m3: the unsigned block scale of CUDA 13.4 (`__nv_fp8_ue5m3`).
namespace formats {
inline constexpr FloatFormat f16{.bits = 16, .precision = 11, .bias = 15};
inline constexpr FloatFormat bf16{.bits = 16, .precision = 8, .bias = 127};
inline constexpr FloatFormat tf32{.bits = 19, .precision = 11, .bias = 127, .memory_shift = 13};
inline constexpr FloatFormat f32{.bits = 32, .precision = 24, .bias = 127};
inline constexpr FloatFormat f64{.bits = 64, .precision = 53, .bias = 1023};
inline constexpr FloatFormat f8e4m3{.bits = 8, .precision = 4, .bias = 7, .has_infinity = false};
inline constexpr FloatFormat f8e5m2{.bits = 8, .precision = 3, .bias = 15};
inline constexpr FloatFormat f8e8m0{.bits = 8,
                                    .precision = 1,
                                    .bias = 127,
                                    .has_sign = false,
                                    .has_zero = false,
                                    .has_infinity = false};
inline constexpr FloatFormat f8e5m3{
    .bits = 8, .precision = 4, .bias = 15, .has_sign = false, .has_infinity = false};
inline constexpr FloatFormat f4e2m1{
    .bits = 4, .precision = 2, .bias = 1, .has_infinity = false, .has_nan = false};
}  // namespace formats

}  // namespace tw::inline v0
