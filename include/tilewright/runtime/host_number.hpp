// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <tilewright/core/element.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/dsl/number.hpp>

namespace tw::inline v0::detail {

/// A host number as an element type holds it.
struct HostNumber {
  std::uint64_t bits = 0;  ///< integers sign-extended to 64 bits, floats in the low bits
  bool fits = true;        ///< whether the element type holds it
};

/// Converts a number to an element type. Integers must come out exactly; floating-point numbers may
/// be rounded to nearest, but not to infinity.
[[nodiscard]] TILEWRIGHT_API HostNumber host_number(Number number, DType dtype) noexcept;

/// The element type with the values of an arithmetic type, which may have another name: `long long`
/// has those of `std::int64_t`.
template <class T>
  requires std::is_arithmetic_v<T>
consteval DType dtype_like() {
  if constexpr (std::is_same_v<T, bool>) {
    return DType::boolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == sizeof(float) ? DType::f32 : DType::f64;
  } else {
    constexpr bool is_signed = std::is_signed_v<T>;
    switch (sizeof(T)) {
      case 1:
        return is_signed ? DType::int8 : DType::uint8;
      case 2:
        return is_signed ? DType::int16 : DType::uint16;
      case 4:
        return is_signed ? DType::int32 : DType::uint32;
      default:
        return is_signed ? DType::int64 : DType::uint64;
    }
  }
}

}  // namespace tw::inline v0::detail
