// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/lint/subject.hpp"

#include <algorithm>
#include <variant>

namespace tw::inline v0::backend::tileiras {

using ir::Opcode;

LintSubject::LintSubject(const Assembly& assembly)
    : assembly_(assembly), definitions_(assembly.module.functions.front().types.size()) {
  ir::walk(entry().body, [&](const ir::Op& op) {
    for (const ir::Value result : op.results) definitions_[result.index] = &op;
  });
}

ir::Value LintSubject::origin(ir::Value value) const {
  static constexpr Opcode passing[] = {Opcode::ftof, Opcode::bitcast, Opcode::reshape,
                                       Opcode::permute};
  for (;;) {
    const ir::Op* op = definition(value);
    if (op == nullptr || std::ranges::find(passing, op->code) == std::end(passing)) return value;
    value = op->operands.front();
  }
}

std::uint64_t LintSubject::divisor(ir::Value value) const {
  std::uint64_t divisor = 1;
  for (const ir::Op* op = definition(value); op != nullptr && op->code == Opcode::assume;
       op = definition(op->operands.front())) {
    const auto& promise = op->get<ir::AssumePredicate>(ir::AttributeName::predicate);
    if (const auto* by = std::get_if<ir::DivBy>(&promise)) {
      divisor = std::max(divisor, by->divisor);
    }
  }
  return divisor;
}

void LintSubject::warn(const ir::Op& op, std::string message) {
  const ir::SourcePlace& place = assembly_.module.locations[op.location];
  if (!known_.emplace(place, message).second) return;
  found_.push_back({std::move(message), place, {}});
}

std::vector<Diagnostic> lint(const Assembly& assembly) {
  LintSubject subject(assembly);
  lint_tiles(subject);
  lint_products(subject);
  lint_transfers(subject);
  return subject.take();
}

}  // namespace tw::inline v0::backend::tileiras
