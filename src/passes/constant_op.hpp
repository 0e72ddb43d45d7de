// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// Turns an op of one result into the constant whose every element has these bits.
inline void become_splat(ir::Op& op, ElementKind kind, std::uint64_t bits) {
  op.code = ir::Opcode::constant;
  op.group_sizes = {};
  op.operands.clear();
  op.regions.clear();
  op.attributes.assign(1, ir::Attribute(ir::splat(kind, bits)));
}

}  // namespace tw::inline v0::passes
