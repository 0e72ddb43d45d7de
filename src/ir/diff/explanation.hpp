// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>

#include <tilewright/ir/diff.hpp>

#include "ir/diff/side.hpp"

namespace tw::inline v0::ir {

/// Whether two ops are alike, apart from their blocks.
bool are_alike(const DiffSide& left_side, const Op& left, const DiffSide& right_side,
               const Op& right, const DiffOptions& options);

/// A block of the left function and that of the right which corresponds to it.
using BlockPair = std::pair<const Block*, const Block*>;

/// Why two ops are not alike, which stand in the last of these blocks within the others. Where
/// their operands are computed by ops that the other side does not have there, it is those that are
/// compared, and so on.
Divergence explain(const DiffSide& left_side, const Op& left, const DiffSide& right_side,
                   const Op& right, std::span<const BlockPair> around, const DiffOptions& options);

}  // namespace tw::inline v0::ir
