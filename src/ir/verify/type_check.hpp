// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/type.hpp>
#include <tilewright/ir/verifier.hpp>

#include "ir/verify/report.hpp"

namespace tw::inline v0::ir {

/// Whether a type is one that a value can have, is well-formed, and is known to tool and
/// architecture; reports the first broken constraint.
bool check_type(const Type& type, const VerifyOptions& options, LocationId where, Report& report);

}  // namespace tw::inline v0::ir
