// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

using enum Opcode;

bool same_types(const OpContext& c, std::span<const Value> a, std::span<const Value> b) {
  return std::ranges::equal(a, b, [&](Value x, Value y) { return c.type(x) == c.type(y); });
}

bool for_c1(const OpContext& c) {
  const auto& arguments = c.op.regions[0].arguments;
  const Type& index = c.operand(0);
  return (is_integer_scalar(index) && c.operand(1) == index && c.operand(2) == index &&
          !arguments.empty() && c.type(arguments[0]) == index) ||
         c.fail("for_c1", "from {} to {} by {} over {}", to_string(index), to_string(c.operand(1)),
                to_string(c.operand(2)),
                arguments.empty() ? "nothing" : to_string(c.type(arguments[0])));
}

bool carried_c1(const OpContext& c) {
  const bool counted = c.op.code == for_;
  const auto initial = c.op.group(counted ? 3 : 0);
  const auto arguments = std::span(c.op.regions[0].arguments).subspan(counted ? 1 : 0);
  if (!same_types(c, initial, arguments)) {
    return c.fail("carried_c1", "({}) is carried as ({})", c.types(initial), c.types(arguments));
  }
  return !counted || same_types(c, initial, c.op.results) ||
         c.fail("carried_c1", "({}) gives ({})", c.types(initial), c.types(c.op.results));
}

bool carried_c2(const OpContext& c) {
  const auto passes = [&](Value each) { return is_tile_or_token(c.type(each)); };
  return (std::ranges::all_of(c.op.operands, passes) &&
          std::ranges::all_of(c.op.results, passes)) ||
         c.fail("carried_c2", "({}) to ({})", c.types(c.op.operands), c.types(c.op.results));
}

bool if_c1(const OpContext& c) {
  return c.operand(0) == tile_type(ElementKind::i1) ||
         c.fail("if_c1", "it branches on {}", to_string(c.operand(0)));
}

bool if_c2(const OpContext& c) {
  for (const Block& block : c.op.regions) {
    if (!block.arguments.empty()) return c.fail("if_c2", "a block takes arguments");
  }
  return c.op.results.empty() || !c.op.regions[1].ops.empty() ||
         c.fail("if_c2", "it has results but no else");
}

bool yield_c1(const OpContext& c) {
  const Op* parent = c.parents.empty() ? nullptr : c.parents.back();
  return parent == nullptr || parent->code != if_ ||
         same_types(c, c.op.operands, parent->results) ||
         c.fail("yield_c1", "it yields ({}) to ({})", c.types(c.op.operands),
                c.types(parent->results));
}

/// The innermost op around that is no if, or nullptr for the entry.
const Op* target(const OpContext& c) {
  const auto found = std::ranges::find_if(c.parents.rbegin(), c.parents.rend(),
                                          [](const Op* each) { return each->code != if_; });
  return found == c.parents.rend() ? nullptr : *found;
}

bool break_c1(const OpContext& c) {
  const Op* around = target(c);
  return (around != nullptr && around->code == loop) ||
         c.fail("break_c1", "it stands in {}", around == nullptr ? "an entry" : around->row().name);
}

bool break_c2(const OpContext& c) {
  return same_types(c, c.op.operands, target(c)->results) ||
         c.fail("break_c2", "it hands out ({}) as ({})", c.types(c.op.operands),
                c.types(target(c)->results));
}

bool continue_c1(const OpContext& c) {
  const Op* around = target(c);
  return (around != nullptr && (around->code == loop || around->code == for_)) ||
         c.fail("continue_c1", "it stands in {}",
                around == nullptr ? "an entry" : around->row().name);
}

bool continue_c2(const OpContext& c) {
  const Op& around = *target(c);
  const auto carried = around.group(around.code == for_ ? 3 : 0);
  return same_types(c, c.op.operands, carried) ||
         c.fail("continue_c2", "it carries ({}) on as ({})", c.types(c.op.operands),
                c.types(carried));
}

bool return_c1(const OpContext& c) {
  const auto lets_through = [&](const Op* each) {
    return each->code == if_ || (each->code == loop && c.options.tool >= Version{13, 4});
  };
  return std::ranges::all_of(c.parents, lets_through) ||
         c.fail("return_c1", "it stands in {}", target(c)->row().name);
}

bool return_c2(const OpContext& c) {
  const bool is_free = !c.function.entry && c.options.allow_functions;
  return is_free || c.op.operands.empty() ||
         c.fail("return_c2", "it carries ({})", c.types(c.op.operands));
}

const OpChecks table[] = {
    {{for_}, {for_c1}},
    {{for_, loop}, {carried_c1}},
    {{if_}, {if_c1}},
    {{for_, if_, loop}, {carried_c2}},
    {{if_}, {if_c2}},
    {{yield}, {yield_c1}},
    {{break_}, {break_c1, break_c2}},
    {{continue_}, {continue_c1, continue_c2}},
    {{return_}, {return_c1, return_c2}},
};

}  // namespace

std::span<const OpChecks> control_checks() { return table; }

}  // namespace tw::inline v0::ir
