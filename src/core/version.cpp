// SPDX-License-Identifier: Apache-2.0
#include <tilewright/core/version.hpp>

const int TILEWRIGHT_ABI_SYMBOL = TILEWRIGHT_VERSION_PATCH;

namespace tw::inline v0 {

Version library_version() noexcept { return header_version; }

}  // namespace tw::inline v0
