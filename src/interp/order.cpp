// SPDX-License-Identifier: Apache-2.0
#include "interp/order.hpp"

#include <vector>

namespace tw::inline v0::interp {
namespace {

using enum ir::Opcode;

/// Integer sums, minima and the like are the same in any order; the rest is not.
bool mode_sees_order(const ir::Op& op) {
  const auto mode = op.as<ir::AtomicMode>(ir::AttributeName::mode);
  return mode == ir::AtomicMode::addf || mode == ir::AtomicMode::xchg;
}

bool op_sees_order(const ir::Op& op, const std::vector<bool>& used) {
  switch (op.code) {
    case atomic_cas_tko:
    case print:
    case print_tko:
      return true;
    case atomic_rmw_tko:
      return mode_sees_order(op) || used[op.result().index];
    case atomic_red_view_tko:
      return mode_sees_order(op);
    case load_ptr_tko:
    case load_view_tko:
    case store_ptr_tko:
    case store_view_tko:
      return is_ordered_access(op);
    default:
      return false;
  }
}

}  // namespace

bool is_ordered_access(const ir::Op& op) {
  return op.as<ir::MemoryOrdering>(ir::AttributeName::memory_ordering) != ir::MemoryOrdering::weak;
}

bool order_is_seen(const ir::Function& function) {
  std::vector<bool> used(function.types.size());
  ir::walk(function.body, [&](const ir::Op& op) {
    for (const ir::Value operand : op.operands) used[operand.index] = true;
  });
  bool seen = false;
  ir::walk(function.body, [&](const ir::Op& op) { seen = seen || op_sees_order(op, used); });
  return seen;
}

}  // namespace tw::inline v0::interp
