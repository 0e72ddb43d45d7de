// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tilewright/ir/attribute.hpp>
#include <tilewright/ir/opcode.hpp>
#include <tilewright/ir/verifier.hpp>

#include "ir/verify/report.hpp"

namespace tw::inline v0::ir {

/// Whether the tool accepts the hints of an op, or of an entry where there is none; reports the
/// first that it cannot use, as an error or, where the tool ignores it, as a warning.
bool check_hints(const Hints& hints, std::optional<Opcode> op, const VerifyOptions& options,
                 LocationId where, Report& report);

}  // namespace tw::inline v0::ir
