// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::interp {

class Preparation;

/// Whether a result may lie where an operand lies that is not read again.
enum class Sharing : std::uint8_t {
  none,
  alias,        ///< the result is the first operand under another name or type
  elementwise,  ///< with any operand of equal size
  accumulator,  ///< with the third operand
  carried,      ///< result k with operand 3 + k: bounds and step of a `for` come first
};

/// How the interpreter carries out one op.
struct OpRule {
  ir::Opcode code;
  /// Appends the steps that compute the op's results, whose slots are placed already.
  void (*prepare)(Preparation& preparation, const ir::Op& op);
  Sharing sharing = Sharing::none;
};

/// The rule of an op; BugError for an op that the interpreter does not know.
const OpRule& rule(ir::Opcode code);

// The rules by family, each beside the meaning of its ops.
std::span<const OpRule> alias_rules();
std::span<const OpRule> atomic_rules();
std::span<const OpRule> block_rules();
std::span<const OpRule> comparison_rules();
std::span<const OpRule> control_rules();
std::span<const OpRule> conversion_rules();
std::span<const OpRule> fault_rules();
std::span<const OpRule> float_rules();
std::span<const OpRule> function_rules();
std::span<const OpRule> integer_rules();
std::span<const OpRule> matrix_rules();
std::span<const OpRule> pointer_rules();
std::span<const OpRule> print_rules();
std::span<const OpRule> reduction_rules();
std::span<const OpRule> shape_rules();
std::span<const OpRule> view_rules();

}  // namespace tw::inline v0::interp
