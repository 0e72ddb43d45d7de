// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tw::inline v0 {

/// How an inexact result becomes a number of its format; numbered as on the Tile IR wire.
///
/// `approx` and `full` allow a device to be less exact than a correctly rounded result: everything
/// computed on the host takes them as `nearest_even`. `nearest_int_to_zero` truncates, like `zero`.
enum class Rounding : std::uint8_t {
  nearest_even,
  zero,
  negative_inf,
  positive_inf,
  approx,
  full,
  nearest_int_to_zero,
  nearest_away,
};

}  // namespace tw::inline v0
