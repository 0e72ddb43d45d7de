// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tilewright/ir/op.hpp>
#include <tilewright/ir/verifier.hpp>

#include "ir/type_list.hpp"
#include "ir/verify/report.hpp"

namespace tw::inline v0::ir {

/// One op under verification and what is around it.
struct OpContext {
  const Module& module;
  const Function& function;
  const VerifyOptions& options;
  const Op& op;
  const OpRow& row;
  std::span<const Op* const> parents;  ///< the ops around it, outermost first
  Report& report;

  [[nodiscard]] const Type& operand(std::size_t index) const {
    return function.type(op.operands[index]);
  }
  [[nodiscard]] const Type& result(std::size_t index = 0) const {
    return function.type(op.results[index]);
  }
  [[nodiscard]] const Type& type(Value value) const { return function.type(value); }
  /// The types of values, separated by commas.
  [[nodiscard]] std::string types(std::span<const Value> values) const {
    return type_list(function, values);
  }
  /// The type of an optional operand that is there, or nullptr.
  [[nodiscard]] const Type* optional(std::size_t group) const {
    const Value value = op.optional(group);
    return value ? &function.type(value) : nullptr;
  }

  /// Reports "rule: op: message"; always false.
  template <class... Args>
  bool fail(Rule rule, fmt::format_string<Args...> format, Args&&... args) const {
    return report.fail(rule, op.location, text(fmt::format(format, std::forward<Args>(args)...)));
  }
  /// The same for what has no effect but is allowed; always true.
  template <class... Args>
  bool warn(Rule rule, fmt::format_string<Args...> format, Args&&... args) const {
    return report.warn(rule, op.location, text(fmt::format(format, std::forward<Args>(args)...)));
  }

 private:
  [[nodiscard]] std::string text(const std::string& message) const {
    return fmt::format("{}: {}", row.name, message);
  }
};

/// Whether an op keeps some constraints; those that it breaks are reported. May presume that the op
/// matches its row and that all its types are sound.
using OpCheck = bool (*)(const OpContext&);

/// Which checks hold for which ops. An op's checks run in the order of their rows, up to the first
/// failure.
struct OpChecks {
  std::initializer_list<Opcode> ops;
  std::initializer_list<OpCheck> checks;
};

// One table a file of this folder.
std::span<const OpChecks> elementwise_checks();
std::span<const OpChecks> conversion_checks();
std::span<const OpChecks> shape_checks();
std::span<const OpChecks> assume_checks();
std::span<const OpChecks> matrix_checks();
std::span<const OpChecks> view_checks();
std::span<const OpChecks> memory_checks();
std::span<const OpChecks> report_checks();
std::span<const OpChecks> control_checks();
std::span<const OpChecks> aggregate_checks();
std::span<const OpChecks> hint_checks();

}  // namespace tw::inline v0::ir
