// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

#include <tilewright/core/attributes.hpp>

#define TILEWRIGHT_VERSION_MAJOR 0
#define TILEWRIGHT_VERSION_MINOR 1
#define TILEWRIGHT_VERSION_PATCH 0

/// Exported by the library of this version under a name that contains the version, so that a
/// program compiled with other headers does not link. Patch releases are compatible.
#define TILEWRIGHT_ABI_SYMBOL tilewright_abi_0_1
extern "C" TILEWRIGHT_API const int TILEWRIGHT_ABI_SYMBOL;

namespace tw::inline v0 {

/// A release of Tilewright, by semantic versioning.
struct Version {
  int major;
  int minor;
  int patch;

  friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

/// The version of the headers the program was compiled with.
inline constexpr Version header_version{TILEWRIGHT_VERSION_MAJOR, TILEWRIGHT_VERSION_MINOR,
                                        TILEWRIGHT_VERSION_PATCH};

/// The version of the library the program runs with.
TILEWRIGHT_API Version library_version() noexcept;

namespace detail {
[[gnu::used, gnu::visibility("hidden")]] inline const int* const linked_abi =
    &TILEWRIGHT_ABI_SYMBOL;
}  // namespace detail
}  // namespace tw::inline v0
