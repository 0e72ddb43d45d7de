// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tilewright/ir/op.hpp>

#include "ir/text_cursor.hpp"

namespace tw::inline v0::ir {

/// The names of values that can be used at a place of a text.
class ValueScope {
 public:
  explicit ValueScope(TextCursor& cursor) : cursor_(cursor) {}

  void enter() { blocks_.push_back(defined_.size()); }
  /// Forgets what was defined since the matching `enter`.
  void leave();

  /// Of blocks that are open.
  [[nodiscard]] std::size_t depth() const { return blocks_.size(); }

  /// From here on a name stands for `count` values, of which `first` is the first.
  void define(const Token& name, Value first, std::size_t count = 1);
  [[nodiscard]] bool knows(std::string_view name) const { return values_.contains(name); }
  /// The value that a use, `%0` or `%0#1`, names.
  Value take();

 private:
  struct Values {
    Value first;
    std::size_t count;
  };

  TextCursor& cursor_;
  std::unordered_map<std::string_view, Values> values_;
  std::vector<std::string_view> defined_;  ///< all names that are known, in order
  std::vector<std::size_t> blocks_;        ///< where those of each open block begin
};

}  // namespace tw::inline v0::ir
