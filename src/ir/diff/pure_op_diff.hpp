// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/diff.hpp>

#include "ir/diff/side.hpp"

namespace tw::inline v0::ir {

/// Compares how often and where two functions have the ops that may stand anywhere, after all else
/// has been found alike.
void compare_pure_ops(const DiffSide& left, const DiffSide& right, const DiffOptions& options,
                      Diff& found);

}  // namespace tw::inline v0::ir
