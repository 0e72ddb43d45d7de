// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <tilewright/core/location.hpp>

namespace tw::inline v0::runtime {

/// Enters memory that somebody lends the library into the register of the process. Throws
/// LaunchError when it overlaps memory that is lent already, unless both are read-only.
void enter_borrowed_range(const void* address, std::size_t bytes, bool read_only, Location where);

/// Takes one equal entry out.
void leave_borrowed_range(const void* address, std::size_t bytes) noexcept;

}  // namespace tw::inline v0::runtime
