// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "passes/fold_rules.hpp"
#include "passes/integer.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::Opcode;

/// Reshaping or broadcasting twice is doing it once.
Outcome fold_chain(ir::Op& op, const Definitions& definitions) {
  const Definition& inner = definitions[op.operands[0]];
  if (inner.known && inner.code == op.code) op.operands[0] = inner.operand;
  const bool same_type = definitions.type(op.operands[0]) == definitions.type(op.result());
  return same_type ? same_as(op.operands[0]) : unchanged();
}

bool is_identity(const ir::IntArray& permutation) {
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    if (permutation[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

Outcome fold_permutation(const ir::Op& op) {
  const auto& permutation = op.get<ir::IntArray>(ir::AttributeName::permutation);
  return is_identity(permutation) ? same_as(op.operands[0]) : unchanged();
}

/// The one op of a combiner that takes both arguments, element and accumulator.
const ir::Op* simple_combiner(const ir::Op& op) {
  const ir::Block& body = op.regions[0];
  if (op.operands.size() != 1 || body.ops.size() != 2) return nullptr;
  const ir::Op& combine = body.ops[0];
  const bool of_both = combine.operands.size() == 2 && combine.results.size() == 1 &&
                       std::ranges::is_permutation(combine.operands, body.arguments) &&
                       body.ops[1].operands == combine.results;
  return of_both ? &combine : nullptr;
}

/// Combining equal numbers by minimum, maximum, and, or gives that number, as long as the identity
/// is one.
Outcome fold_reduction(const ir::Op& op, const Definitions& definitions) {
  const auto elements = definitions.splat(op.operands[0]);
  const ir::Op* combine = simple_combiner(op);
  if (!elements || !combine) return unchanged();
  const std::uint8_t width = integer_width(definitions.type(op.operands[0]));
  if (width == 0) return unchanged();
  const auto identity =
      masked(op.get<ir::ScalarArray>(ir::AttributeName::identities)[0].bits, width);
  const auto bits = masked(*elements, width);
  const bool neutral = (combine->code == Opcode::andi && (identity & bits) == bits) ||
                       (combine->code == Opcode::ori && (identity | bits) == bits);
  return neutral ? splat_of(bits) : unchanged();
}

/// Ops whose result is a constant of one value if their operand is.
bool moves_elements(Opcode code) {
  switch (code) {
    case Opcode::broadcast:
    case Opcode::extract:
    case Opcode::permute:
    case Opcode::reshape:
      return true;
    default:
      return false;
  }
}

/// Bits that mean the same in another type of the same width.
Outcome fold_bitcast(const ir::Op& op, const Definitions& definitions) {
  const ir::Value source = op.operands[0];
  if (definitions.type(source) == definitions.type(op.result())) return same_as(source);
  // A tf32 has fewer bits as a number than in memory.
  const auto partial = [](const ir::Type& type) { return type.tile().kind() == ElementKind::tf32; };
  if (partial(definitions.type(source)) || partial(definitions.type(op.result()))) {
    return unchanged();
  }
  const auto bits = definitions.splat(source);
  return bits ? splat_of(*bits) : unchanged();
}

}  // namespace

Outcome fold_shape(ir::Op& op, const Definitions& definitions) {
  if (moves_elements(op.code)) {
    if (const auto bits = definitions.splat(op.operands[0])) return splat_of(*bits);
  }
  switch (op.code) {
    case Opcode::broadcast:
    case Opcode::reshape:
      return fold_chain(op, definitions);
    case Opcode::permute:
      return fold_permutation(op);
    case Opcode::extract:
      return definitions.type(op.operands[0]) == definitions.type(op.result())
                 ? same_as(op.operands[0])
                 : unchanged();
    case Opcode::bitcast:
      return fold_bitcast(op, definitions);
    case Opcode::reduce:
      return fold_reduction(op, definitions);
    default:
      return unchanged();
  }
}

}  // namespace tw::inline v0::passes
