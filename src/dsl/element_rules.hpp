// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "dsl/trace.hpp"

namespace tw::inline v0::detail {

/// Whether there is arithmetic on this type; the others exist for storage and for `mma` only.
bool computes(DType dtype);

/// Notes that an operation does not exist for tiles of this type.
void not_defined(Trace& trace, std::string_view name, DType dtype, Location where);

/// The IR's rounding for what the user asked, or `standard` for nothing.
ir::RoundingMode rounding_mode(rounding asked, ir::RoundingMode standard);

}  // namespace tw::inline v0::detail
