// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include <tilewright/core/element.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/rounding.hpp>

namespace tw::inline v0::numeric {

/// The formats that arithmetic is defined on.
template <class T>
concept arithmetic_float =
    std::same_as<T, half> || std::same_as<T, bf16> || std::same_as<T, tf32> ||
    std::same_as<T, float> || std::same_as<T, double>;

/// The operations of IEEE 754, each rounded once to T in the mode asked for: subnormals are kept,
/// overflow gives infinity or the largest number as the mode says. Which NaN an invalid operation
/// gives is not specified. The thread must be in the default floating-point environment, and stays
/// in it.
template <arithmetic_float T>
struct TILEWRIGHT_API Arithmetic {
  static T add(T a, T b, Rounding rounding = Rounding::nearest_even) noexcept;
  static T sub(T a, T b, Rounding rounding = Rounding::nearest_even) noexcept;
  static T mul(T a, T b, Rounding rounding = Rounding::nearest_even) noexcept;
  static T div(T a, T b, Rounding rounding = Rounding::nearest_even) noexcept;
  /// a * b + c.
  static T fma(T a, T b, T c, Rounding rounding = Rounding::nearest_even) noexcept;
  static T sqrt(T a, Rounding rounding = Rounding::nearest_even) noexcept;
};

extern template struct Arithmetic<half>;
extern template struct Arithmetic<bf16>;
extern template struct Arithmetic<tf32>;
extern template struct Arithmetic<float>;
extern template struct Arithmetic<double>;

}  // namespace tw::inline v0::numeric
