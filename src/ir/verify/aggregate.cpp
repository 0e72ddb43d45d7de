// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

using enum Opcode;

ElementKind element(const OpContext& c, std::size_t index) {
  return c.operand(index).tile().kind();
}

bool reduce_c1(const OpContext& c) {
  const bool some = !c.op.operands.empty();
  const bool equal = std::ranges::all_of(c.op.operands, [&](Value each) {
    return number_tile(c.type(each)) != nullptr && same_shape(c.type(each), c.operand(0));
  });
  return (some && equal && !c.operand(0).tile().shape.empty()) ||
         c.fail("reduce_c1", "the operands are not tiles of numbers of one shape");
}

bool reduce_c2(const OpContext& c) {
  const std::int64_t dim = c.op.integer(AttributeName::dim);
  return (dim >= 0 && dim < std::ssize(c.operand(0).tile().shape)) ||
         c.fail("reduce_c2", "dim {} of {}", dim, to_string(c.operand(0)));
}

bool is_half(ElementKind kind) { return kind == ElementKind::f16 || kind == ElementKind::bf16; }

bool reduce_c3(const OpContext& c) {
  const auto& identities = c.op.get<ScalarArray>(AttributeName::identities);
  bool holds = identities.size() == c.op.operands.size();
  for (std::size_t i = 0; holds && i < identities.size(); ++i) {
    const ElementKind kind = element(c, i);
    holds = identities[i].kind == kind || (is_half(identities[i].kind) && is_half(kind));
  }
  return holds || c.fail("reduce_c3", "the identities are not of the operands' element types");
}

Type expected_result(const OpContext& c, std::size_t index) {
  Shape shape = c.operand(index).tile().shape;
  if (c.op.code == reduce) {
    shape.erase(static_cast<std::size_t>(c.op.integer(AttributeName::dim)));
  }
  return tile_type(element(c, index), shape);
}

bool reduce_c4(const OpContext& c) {
  if (c.op.results.size() != c.op.operands.size()) {
    return c.fail("reduce_c4", "{} operands give {} results", c.op.operands.size(),
                  c.op.results.size());
  }
  for (std::size_t i = 0; i < c.op.results.size(); ++i) {
    if (c.result(i) == expected_result(c, i)) continue;
    return c.fail("reduce_c4", "{} gives {}", to_string(c.operand(i)), to_string(c.result(i)));
  }
  return true;
}

bool reduce_c5(const OpContext& c) {
  const auto& arguments = c.op.regions[0].arguments;
  bool holds = arguments.size() == 2 * c.op.operands.size();
  for (std::size_t i = 0; holds && i < arguments.size(); ++i) {
    holds = c.type(arguments[i]) == tile_type(element(c, i / 2));
  }
  return holds || c.fail("reduce_c5", "the arguments are not two scalars an operand");
}

bool reduce_c6(const OpContext& c) {
  const auto& yielded = c.op.regions[0].ops.back().operands;
  bool holds = yielded.size() == c.op.operands.size();
  for (std::size_t i = 0; holds && i < yielded.size(); ++i) {
    holds = c.type(yielded[i]) == tile_type(element(c, i));
  }
  return holds || c.fail("reduce_c6", "the block does not yield one scalar an operand");
}

/// Whether tools before 13.4 refuse an op without effects.
bool was_impure(Opcode code) {
  constexpr Opcode codes[] = {
      divi, get_index_space_shape, get_tensor_shape, if_, make_tensor_view, reduce, scan};
  return std::ranges::find(codes, code) != std::end(codes);
}

bool is_pure(const Op& op, Version tool);

bool are_pure(const Block& block, Version tool) {
  return std::ranges::all_of(block.ops, [tool](const Op& each) {
    return each.row().effect == Effect::terminator || is_pure(each, tool);
  });
}

bool is_pure(const Op& op, Version tool) {
  if (tool < Version{13, 4} && was_impure(op.code)) return false;
  if (op.row().effect == Effect::pure) return op.code != assume;
  const bool has_value = op.code == if_ || op.code == reduce || op.code == scan;
  return has_value && std::ranges::all_of(
                          op.regions, [tool](const Block& each) { return are_pure(each, tool); });
}

bool reduce_c7(const OpContext& c) {
  return are_pure(c.op.regions[0], c.options.tool) ||
         c.fail("reduce_c7", "its block holds an op that is not pure");
}

const OpChecks table[] = {
    {{reduce, scan}, {reduce_c1, reduce_c2, reduce_c3, reduce_c4, reduce_c5, reduce_c6, reduce_c7}},
};

}  // namespace

std::span<const OpChecks> aggregate_checks() { return table; }

}  // namespace tw::inline v0::ir
