// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// Moves what is the same in every iteration in front of its loop: pure ops, reductions and scans,
/// and plain loads from parameters that the kernel never writes. Only what every iteration computes
/// moves, and nothing that a loop without iterations would have saved from undefined behaviour.
[[nodiscard]] TILEWRIGHT_API ir::Module licm(ir::Module module);

}  // namespace tw::inline v0::passes
