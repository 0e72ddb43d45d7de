// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Before the name `approx` below, which its own enumerator would shadow.
#include <tilewright/core/rounding.hpp>

namespace tw::inline v0 {

/// How a floating-point result is rounded. `approx` and `full` are the fast and the accurate form
/// of operations that the hardware approximates.
enum class rounding : std::uint8_t {
  nearest,
  zero,
  negative,
  positive,
  approx,
  full,
  nearest_away,
  standard,  ///< what the operation does when nothing is said
};

inline constexpr rounding approx = rounding::approx;

/// Options of a floating-point operation, given by name: `div(a, b, {.rounding = approx, .ftz =
/// true})`.
struct FloatOptions {
  tw::rounding rounding = tw::rounding::standard;
  bool ftz = false;            ///< flush denormal operands and results to zero (f32 only)
  bool propagate_nan = false;  ///< of min and max: a NaN wins instead of losing
};

struct ScanOptions {
  bool reverse = false;  ///< from the last element to the first
};

struct MmaOptions {
  bool fast_acc = false;  ///< fp8 only: accumulate in the tensor cores' own precision
};

struct ConvertOptions {
  tw::rounding rounding = tw::rounding::standard;
};

/// Advice for one memory access. Never changes its meaning.
struct AccessHints {
  int latency = 0;  ///< 1 to 10: how far ahead the load may be issued; 0: unsaid
  bool allow_tma = true;
};

}  // namespace tw::inline v0
