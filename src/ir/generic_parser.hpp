// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ir/form_parser.hpp"

namespace tw::inline v0::ir {

/// Reads an op in the form that all ops have: `"cuda_tile.addi"(%a, %b) <{overflow = ...}> ({ })
/// {...} : (tile<i32>, tile<i32>) -> tile<i32>`.
class GenericParser {
 public:
  GenericParser(TextCursor& cursor, TypeParser& types, ValueScope& scope, const Function& function)
      : cursor_(cursor), types_(types), scope_(scope), function_(function) {}

  /// What of an op stands in front of its blocks, behind its name.
  struct Head {
    std::vector<Value> operands;
    std::optional<std::vector<std::int64_t>> sizes;  ///< of the groups of operands
  };

  /// Operands and properties.
  Head take_head(OpText& op);
  /// Further attributes and the types; completes what is known of the op.
  void take_tail(OpText& op, Head& head);

 private:
  void attributes(OpText& op, Head& head, bool discardable);
  void types(OpText& op, const Head& head);
  void groups(OpText& op, const Head& head, std::size_t offset);
  std::vector<std::size_t> group_sizes(const OpText& op, const Head& head,
                                       std::size_t offset) const;
  void check_attributes(const OpText& op, std::size_t offset);
  void check_constant(const OpText& op, std::size_t offset);

  TextCursor& cursor_;
  TypeParser& types_;
  ValueScope& scope_;
  const Function& function_;
};

/// `(T, T) -> T`.
FunctionType take_function_type(TextCursor& cursor, TypeParser& types);

}  // namespace tw::inline v0::ir
