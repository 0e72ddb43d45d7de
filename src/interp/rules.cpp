// SPDX-License-Identifier: Apache-2.0
#include "interp/rules.hpp"

#include <string>
#include <unordered_map>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>

namespace tw::inline v0::interp {
namespace {

std::unordered_map<ir::Opcode, OpRule> collect() {
  std::unordered_map<ir::Opcode, OpRule> rules;
  for (const auto family : {alias_rules(), atomic_rules(), block_rules(), comparison_rules(),
                            control_rules(), conversion_rules(), fault_rules(), float_rules(),
                            function_rules(), integer_rules(), matrix_rules(), pointer_rules(),
                            print_rules(), reduction_rules(), shape_rules(), view_rules()}) {
    for (const OpRule& rule : family) rules.emplace(rule.code, rule);
  }
  return rules;
}

}  // namespace

const OpRule& rule(ir::Opcode code) {
  static const auto& rules = *new std::unordered_map(collect());
  const auto found = rules.find(code);
  if (found == rules.end()) {
    throw BugError(
        "the interpreter does not know op " + std::to_string(static_cast<unsigned>(code)),
        Location::current());
  }
  return found->second;
}
static const os::MadeBeforeForks<[] { return &rule(ir::Opcode::addf); }> rules_made;

}  // namespace tw::inline v0::interp
