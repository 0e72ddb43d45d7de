// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <tilewright/ir/diff.hpp>

#include "ir/value_names.hpp"

namespace tw::inline v0::ir {

/// Equal numbers stand for equal things: `exact` where they were computed alike, `relaxed` where
/// harmless differences are allowed. 0 is not numbered yet.
struct Numbers {
  std::uint32_t exact = 0;
  std::uint32_t relaxed = 0;
};

/// An op without effects.
struct PureOp {
  const Op* op;
  Numbers numbers;
  std::uint32_t block;  ///< the number of the block that it stands in
};

/// What is known of one of two functions that are compared.
class DiffSide {
 public:
  DiffSide(const Module& module, const Function& function);

  [[nodiscard]] const Module& module() const { return module_; }
  [[nodiscard]] const Function& function() const { return function_; }

  [[nodiscard]] Numbers numbers(Value value) const {
    return value.index < numbers_.size() ? numbers_[value.index] : Numbers();
  }
  void set(Value value, Numbers numbers) {
    if (value.index < numbers_.size()) numbers_[value.index] = numbers;
  }
  /// The op that gives a value, or nullptr for arguments of blocks.
  [[nodiscard]] const Op* definition(Value value) const {
    return value.index < definitions_.size() ? definitions_[value.index] : nullptr;
  }
  [[nodiscard]] DiffPlace place(const Op& op) const;
  /// Of the function itself.
  [[nodiscard]] DiffPlace place() const;

  std::vector<PureOp> pure_ops;

 private:
  void list_paths(const Block& block, const std::string& prefix) const;

  const Module& module_;
  const Function& function_;
  std::vector<Numbers> numbers_;        ///< by value
  std::vector<const Op*> definitions_;  ///< by value
  // Only what differs is named.
  mutable std::optional<ValueNames> names_;
  mutable std::unordered_map<const Op*, std::string> paths_;
};

}  // namespace tw::inline v0::ir
