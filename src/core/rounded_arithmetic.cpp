// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <tilewright/core/rounded_arithmetic.hpp>

#include "core/float_rounding.hpp"

// Rounding to nearest even is the hardware's operation. For the formats without hardware it is the
// operation on doubles, rounded again: with 53 bits, at least two more than twice the 11 of these
// formats, the second rounding of + - * / and sqrt does not see that there was a first one
// (Figueroa, When is double rounding innocuous?, 1995). Fused multiply-add has no such bound.
//
// Everything else is computed exactly in 128-bit integers, the lowest bit standing for whatever
// lies below it, and rounded once.

namespace tw::inline v0::numeric {
namespace {

using Wide = Scaled<uint128>;

constexpr int wide_top = 126;  // where operands of a sum have their leading bit: it may carry

Wide widened(double value) {
  const auto [negative, significand, exponent] = scaled(value);
  return {negative, significand, exponent};
}

/// The same number with its leading bit at `top`.
Wide normalised(Wide value, int top) {
  const int shift = leading_zeros(value.significand) - (127 - top);
  return {value.negative, value.significand << shift, value.exponent - shift};
}

/// `value >> shift`, with the lowest bit set if any bit was lost.
uint128 shifted_right(uint128 value, int shift) {
  if (shift > 127) return 1;
  const uint128 kept = value >> shift;
  return kept | (kept << shift != value);
}

/// The sum of two nonzero numbers of at most 106 bits; its significand is zero if they cancel.
Wide sum(Wide a, Wide b) {
  a = normalised(a, wide_top);
  b = normalised(b, wide_top);
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
    std::swap(a, b);
  }
  // Bits are lost only when b is shifted by more than the 21 free bits below it; then at most one
  // leading bit cancels, and what is lost lies far below what any format keeps.
  const uint128 small = shifted_right(b.significand, a.exponent - b.exponent);
  const bool same_sign = a.negative == b.negative;
  return {a.negative, same_sign ? a.significand + small : a.significand - small, a.exponent};
}

Wide product(double a, double b) {
  const auto x = scaled(a);
  const auto y = scaled(b);
  return {x.negative != y.negative, uint128{x.significand} * y.significand,
          x.exponent + y.exponent};
}

Wide quotient(double a, double b) {
  const Wide x = normalised(widened(a), 127);
  const Wide y = normalised(widened(b), 63);
  const uint128 whole = x.significand / y.significand;
  const bool inexact = whole * y.significand != x.significand;
  return {x.negative != y.negative, whole << 1 | inexact, x.exponent - y.exponent - 1};
}

/// The integer part of the square root, digit by digit.
std::uint64_t integer_root(uint128 value) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1) {
    const std::uint64_t candidate = root | bit;
    if (uint128{candidate} * candidate <= value) root = candidate;
  }
  return root;
}

Wide square_root(double value) {
  Wide x = normalised(widened(value), 127);
  if (x.exponent % 2 != 0) x = {false, x.significand >> 1, x.exponent + 1};
  const std::uint64_t root = integer_root(x.significand);
  const bool inexact = uint128{root} * root != x.significand;
  return {false, uint128{root} << 1 | inexact, x.exponent / 2 - 1};
}

template <class T>
T rounded(Wide exact, Rounding rounding) {
  constexpr FloatFormat format = info(element_kind(dtype_of<T>)).format;
  const std::uint64_t pattern = round_to(format, exact, rounding, Overflow::special);
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(pattern);
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
  } else {
    using Bits = decltype(T{}.bits());
    return T::from_bits(static_cast<Bits>(pattern << format.memory_shift));
  }
}

/// The zero that a sum gives: a sign that both terms share, else that of the rounding.
template <class T>
T zero_sum(bool a_negative, bool b_negative, Rounding rounding) {
  const bool negative = a_negative == b_negative ? a_negative : rounding == Rounding::negative_inf;
  return T(negative ? -0.0 : 0.0);
}

/// The sum of two numbers of at most 106 bits, either of which may be zero.
template <class T>
T rounded_sum(Wide a, Wide b, Rounding rounding) {
  if (a.significand == 0 && b.significand == 0) {
    return zero_sum<T>(a.negative, b.negative, rounding);
  }
  if (a.significand == 0) return rounded<T>(b, rounding);
  if (b.significand == 0) return rounded<T>(a, rounding);
  const Wide exact = sum(a, b);
  if (exact.significand == 0) return zero_sum<T>(a.negative, b.negative, rounding);
  return rounded<T>(exact, rounding);
}

template <class T>
constexpr bool has_hardware = std::is_floating_point_v<T>;

/// The type whose hardware operation gives the nearest number of T, after rounding to T.
template <class T>
using Hardware = std::conditional_t<has_hardware<T>, T, double>;

template <class T>
Hardware<T> hard(T value) {
  return static_cast<Hardware<T>>(value);
}

template <class... T>
bool all_finite(T... values) {
  return (std::isfinite(static_cast<double>(values)) && ...);
}

/// Whether all are numbers that have a leading bit.
template <class... T>
bool all_nonzero(T... values) {
  return all_finite(values...) && ((static_cast<double>(values) != 0) && ...);
}

}  // namespace

template <arithmetic_float T>
T Arithmetic<T>::add(T a, T b, Rounding rounding) noexcept {
  if (is_nearest_even(rounding) || !all_finite(a, b)) return T(hard(a) + hard(b));
  return rounded_sum<T>(widened(double(a)), widened(double(b)), rounding);
}

template <arithmetic_float T>
T Arithmetic<T>::sub(T a, T b, Rounding rounding) noexcept {
  if (is_nearest_even(rounding) || !all_finite(a, b)) return T(hard(a) - hard(b));
  return rounded_sum<T>(widened(double(a)), widened(-double(b)), rounding);
}

template <arithmetic_float T>
T Arithmetic<T>::mul(T a, T b, Rounding rounding) noexcept {
  if (is_nearest_even(rounding) || !all_nonzero(a, b)) return T(hard(a) * hard(b));
  return rounded<T>(product(double(a), double(b)), rounding);
}

template <arithmetic_float T>
T Arithmetic<T>::div(T a, T b, Rounding rounding) noexcept {
  if (is_nearest_even(rounding) || !all_nonzero(a, b)) return T(hard(a) / hard(b));
  return rounded<T>(quotient(double(a), double(b)), rounding);
}

template <arithmetic_float T>
T Arithmetic<T>::fma(T a, T b, T c, Rounding rounding) noexcept {
  const bool nearest = has_hardware<T> && is_nearest_even(rounding);
  if (nearest || !all_finite(a, b, c)) return T(std::fma(hard(a), hard(b), hard(c)));
  return rounded_sum<T>(product(double(a), double(b)), widened(double(c)), rounding);
}

template <arithmetic_float T>
T Arithmetic<T>::sqrt(T a, Rounding rounding) noexcept {
  if (is_nearest_even(rounding) || !all_nonzero(a) || hard(a) < 0) return T(std::sqrt(hard(a)));
  return rounded<T>(square_root(double(a)), rounding);
}

template struct Arithmetic<half>;
template struct Arithmetic<bf16>;
template struct Arithmetic<tf32>;
template struct Arithmetic<float>;
template struct Arithmetic<double>;

}  // namespace tw::inline v0::numeric
