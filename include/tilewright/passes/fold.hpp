// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// Computes what is constant, bit by bit as a device would: integer and float ops on constants of
/// one value, identities such as x + 0, chains of reshapes and broadcasts, branches on a constant,
/// loops that never run, values that a loop carries without changing them. What Tile IR leaves
/// undefined (division by zero, too wide shifts) stays. Leaves unused ops behind for `dce`.
[[nodiscard]] TILEWRIGHT_API ir::Module fold(ir::Module module);

}  // namespace tw::inline v0::passes
