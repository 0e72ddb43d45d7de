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

/// Whether each launch records its kernel again and compares: a kernel may depend on its parameters
/// only, not on globals or captured state. What `set_verify_traces` chose, else true when the
/// environment variable TILEWRIGHT_VERIFY_TRACE is "1".
[[nodiscard]] TILEWRIGHT_API bool verify_traces() noexcept;
TILEWRIGHT_API void set_verify_traces(bool verify) noexcept;

}  // namespace tw::inline v0
