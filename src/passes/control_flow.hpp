// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// A `for` has lower bound, upper bound and step before its initial values.
inline constexpr std::size_t for_bounds = 3;

inline bool is_loop(const ir::Op& op) {
  return op.code == ir::Opcode::for_ || op.code == ir::Opcode::loop;
}

/// The `yield` that ends a branch; nullptr for one that leaves another way or does not exist.
inline const ir::Op* yield_of(const ir::Block& branch) {
  if (branch.ops.empty() || branch.ops.back().code != ir::Opcode::yield) return nullptr;
  return &branch.ops.back();
}

}  // namespace tw::inline v0::passes
