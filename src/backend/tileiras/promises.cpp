// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <tilewright/ir/builder.hpp>

#include "backend/tileiras/rewrites.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

using ir::AbiKind;
using ir::Value;

/// Whether the argument counts something.
bool is_count(AbiKind kind) {
  switch (kind) {
    case AbiKind::extent:
    case AbiKind::stride:
    case AbiKind::ids_count:
    case AbiKind::rows_count:
    case AbiKind::grid:
    case AbiKind::common_grid:
      return true;
    default:
      return false;
  }
}

std::vector<ir::AssumePredicate> promises_for(const ir::AbiSlot& slot) {
  std::vector<ir::AssumePredicate> promises;
  if (is_count(slot.kind)) promises.emplace_back(ir::Bounded{.lower = 0});
  if (slot.divisor > 1) {
    promises.emplace_back(ir::DivBy{.divisor = static_cast<std::uint64_t>(slot.divisor)});
  }
  return promises;
}

}  // namespace

ir::Kernel with_promises(ir::Kernel kernel) {
  ir::Function& entry = kernel.entry();
  std::vector<ir::Op> promises;
  std::vector<Value> names(entry.types.size());
  for (std::size_t i = 0; i < kernel.abi.size(); ++i) {
    const Value argument = entry.body.arguments[i];
    Value known = argument;
    for (ir::AssumePredicate& promise : promises_for(kernel.abi[i])) {
      ir::OpDraft draft(ir::Opcode::assume, entry.location);
      draft.operand(known).set(ir::AttributeName::predicate, ir::Attribute(std::move(promise)));
      promises.push_back(draft.finish(entry, {ir::Type(entry.type(argument))}));
      known = promises.back().result();
    }
    names[argument.index] = known;
  }
  ir::walk(entry.body, [&](ir::Op& op) {
    for (Value& operand : op.operands) {
      if (operand && names[operand.index]) operand = names[operand.index];
    }
  });
  entry.body.ops.insert(entry.body.ops.begin(), std::make_move_iterator(promises.begin()),
                        std::make_move_iterator(promises.end()));
  return kernel;
}

}  // namespace tw::inline v0::backend::tileiras
