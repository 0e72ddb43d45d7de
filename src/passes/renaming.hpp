// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// Values of one function that stand for others, applied to ops as a pass meets them.
class Renaming {
 public:
  explicit Renaming(const ir::Function& function) : names_(function.types.size()) {}

  /// Makes every later use of `value` one of `by`.
  void replace(ir::Value value, ir::Value by) { names_[value.index] = by; }

  [[nodiscard]] ir::Value operator()(ir::Value value) const {
    while (value.index < names_.size() && names_[value.index]) value = names_[value.index];
    return value;
  }

  void apply(ir::Op& op) const {
    for (ir::Value& operand : op.operands) operand = (*this)(operand);
  }

 private:
  std::vector<ir::Value> names_;
};

}  // namespace tw::inline v0::passes
