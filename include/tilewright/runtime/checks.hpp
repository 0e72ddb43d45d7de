// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/dsl/specialisation.hpp>

namespace tw::inline v0 {

/// Who checks the accesses of later launches, for differential tests: what `set_check_mode` chose,
/// else CheckMode::all_on_device when the environment variable TILEWRIGHT_CHECKS is "device", else
/// CheckMode::automatic.
[[nodiscard]] TILEWRIGHT_API CheckMode check_mode() noexcept;
TILEWRIGHT_API void set_check_mode(CheckMode mode) noexcept;

}  // namespace tw::inline v0
