// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include <tilewright/ir/diff.hpp>

#include "ir/diff/side.hpp"

namespace tw::inline v0::ir {

/// What differs between two ops apart from their operands and blocks, or nothing.
std::optional<std::string> head_difference(const DiffSide& left_side, const Op& left,
                                           const DiffSide& right_side, const Op& right,
                                           const DiffOptions& options);

/// The positions of the first operands that are not alike, of ops with the same number of operands.
std::optional<std::pair<std::size_t, std::size_t>> operand_difference(const DiffSide& left_side,
                                                                      const Op& left,
                                                                      const DiffSide& right_side,
                                                                      const Op& right);

/// A block of the left function and that of the right which corresponds to it.
using BlockPair = std::pair<const Block*, const Block*>;

/// Why two ops are not alike, which stand in the last of these blocks within the others. Where
/// their operands are computed by ops that the other side does not have there, it is those that are
/// compared, and so on.
Divergence explain(const DiffSide& left_side, const Op& left, const DiffSide& right_side,
                   const Op& right, std::span<const BlockPair> around, const DiffOptions& options);

}  // namespace tw::inline v0::ir
