// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::ir {

/// The names that the official printer gives to the values of a function: hints that depend on the
/// op, numbers for the rest, `_N` behind names that are taken. Sibling blocks use the same names
/// again.
class ValueNames {
 public:
  /// Values that have a name among `given` keep it.
  explicit ValueNames(const Function& function, std::span<const std::string> given = {});

  /// As an operand: `%0`, `%for#1`.
  [[nodiscard]] const std::string& use(Value value) const;
  /// Before the `=` of an op with results: `%tile, %result_token`, `%3:2`.
  [[nodiscard]] std::string definition(const Op& op) const;

 private:
  std::vector<std::string> uses_;
};

}  // namespace tw::inline v0::ir
