// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/range_graph.hpp"

namespace tw::inline v0::passes {

/// What a step's operand contributes.
struct KnownOperand {
  Range range;
  Bounds bounds;
};

/// How well the result of a step is known; for a truth value, `lower` tells how a proof that it
/// holds would be found. `range` is that of the result.
Bounds bounds_of(const RangeNode& node, const Range& range, const KnownOperand& a,
                 const KnownOperand& b, const KnownOperand& c);

}  // namespace tw::inline v0::passes
