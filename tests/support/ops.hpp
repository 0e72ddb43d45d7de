// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <tilewright/ir/kernel.hpp>

namespace tw::tests {

/// All ops of a kernel, in program order, an op before those of its regions.
inline std::vector<const ir::Op*> all_ops(const ir::Kernel& kernel) {
  std::vector<const ir::Op*> ops;
  ir::walk(kernel.entry().body, [&](const ir::Op& op) { ops.push_back(&op); });
  return ops;
}

/// Those of one kind.
inline std::vector<const ir::Op*> ops_of(const ir::Kernel& kernel, ir::Opcode code) {
  std::vector<const ir::Op*> ops = all_ops(kernel);
  std::erase_if(ops, [&](const ir::Op* op) { return op->code != code; });
  return ops;
}

inline std::size_t count_ops(const ir::Kernel& kernel, ir::Opcode code) {
  return ops_of(kernel, code).size();
}

}  // namespace tw::tests
