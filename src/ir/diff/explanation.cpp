// SPDX-License-Identifier: Apache-2.0
#include "ir/diff/explanation.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "ir/diff/content_key.hpp"
#include "ir/diff/numbering.hpp"

namespace tw::inline v0::ir {
namespace {

/// "operand lhs", "operand indices[1]".
std::string operand_name(const Op& op, std::size_t index) {
  for (std::size_t group = 0; group < op.row().operands.size(); ++group) {
    const OperandRow& row = op.row().operands[group];
    if (index < op.group_sizes[group]) {
      return row.arity == Arity::variadic ? fmt::format("operand {}[{}]", row.name, index)
                                          : fmt::format("operand {}", row.name);
    }
    index -= op.group_sizes[group];
  }
  return fmt::format("operand {}", index);
}

std::string attribute_content(const DiffSide& side, const Op& op, std::size_t index,
                              const DiffOptions& options) {
  ContentKey key;
  key.attribute(side.module(), op.attributes[index], op.row().attributes[index], options);
  return key.bytes();
}

std::vector<std::uint32_t> relaxed_numbers(const DiffSide& side, const Op& op) {
  std::vector<std::uint32_t> numbers;
  for (const Value each : op.operands) numbers.push_back(side.numbers(each).relaxed);
  return numbers;
}

/// The position of the first of `some` that `others` has fewer of.
std::size_t surplus(std::span<const std::uint32_t> some, std::span<const std::uint32_t> others) {
  const auto is_missing = [&](std::uint32_t each) {
    return std::ranges::count(some, each) > std::ranges::count(others, each);
  };
  return static_cast<std::size_t>(std::ranges::find_if(some, is_missing) - some.begin());
}

/// What differs between two ops apart from their operands and blocks, or nothing.
std::optional<std::string> head_difference(const DiffSide& left_side, const Op& left,
                                           const DiffSide& right_side, const Op& right,
                                           const DiffOptions& options) {
  if (left.code != right.code) return "op";
  const OpRow& row = left.row();
  for (std::size_t i = 0; i < row.attributes.size(); ++i) {
    if (attribute_content(left_side, left, i, options) !=
        attribute_content(right_side, right, i, options)) {
      return fmt::format("attribute {}", attribute_text(row.attributes[i].name));
    }
  }
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
    if (left.group_sizes[i] != right.group_sizes[i]) {
      return fmt::format("number of operands {}", row.operands[i].name);
    }
  }
  if (left.results.size() != right.results.size()) return "number of results";
  for (std::size_t i = 0; i < left.results.size(); ++i) {
    if (left_side.function().type(left.results[i]) != right_side.function().type(right.results[i]))
      return fmt::format("type of result {}", i);
  }
  if (place_key(left_side.module(), left.location, options) !=
      place_key(right_side.module(), right.location, options)) {
    return "source place";
  }
  return std::nullopt;
}

/// The positions of the first operands that are not alike, of ops with the same number of operands.
std::optional<std::pair<std::size_t, std::size_t>> operand_difference(const DiffSide& left_side,
                                                                      const Op& left,
                                                                      const DiffSide& right_side,
                                                                      const Op& right) {
  const auto left_numbers = relaxed_numbers(left_side, left);
  const auto right_numbers = relaxed_numbers(right_side, right);
  const std::size_t commuting = commuting_operands(left);
  const auto left_first = std::span(left_numbers).first(commuting);
  const auto right_first = std::span(right_numbers).first(commuting);
  if (const std::size_t found = surplus(left_first, right_first); found != commuting) {
    return std::pair(found, surplus(right_first, left_first));
  }
  for (std::size_t i = commuting; i < left_numbers.size(); ++i) {
    if (left_numbers[i] != right_numbers[i]) return std::pair(i, i);
  }
  return std::nullopt;
}

/// Steps from ops that are not alike to what makes them so.
class Explainer {
 public:
  Explainer(const DiffSide& left_side, const DiffSide& right_side, const DiffOptions& options)
      : left_side_(left_side), right_side_(right_side), options_(options) {}

  /// From here on what these blocks define can be seen.
  void enter(const Block& left, const Block& right) {
    add_numbers(left_side_, left, left_numbers_);
    add_numbers(right_side_, right, right_numbers_);
  }

  Divergence explain(const Op* left, const Op* right) {
    // Definitions form no cycles in valid functions only.
    for (std::size_t left_steps = left_side_.function().types.size() + 1;; --left_steps) {
      if (auto what = head_difference(left_side_, *left, right_side_, *right, options_)) {
        return divergence(*what, *left, *right);
      }
      const auto operands = operand_difference(left_side_, *left, right_side_, *right);
      if (!operands) {
        if (left_steps == 0 || !enter_block(left, right)) {
          return divergence("blocks", *left, *right);
        }
        continue;
      }
      const Op* left_definition =
          own_definition(left_side_, left->operands[operands->first], right_numbers_);
      const Op* right_definition =
          own_definition(right_side_, right->operands[operands->second], left_numbers_);
      if (left_steps == 0 || left_definition == nullptr || right_definition == nullptr) {
        return divergence(operand_name(*left, operands->first), *left, *right);
      }
      left = left_definition;
      right = right_definition;
    }
  }

 private:
  static void add_numbers(const DiffSide& side, const Block& block,
                          std::unordered_set<std::uint32_t>& numbers) {
    for (const Value each : block.arguments) numbers.insert(side.numbers(each).relaxed);
    for (const Op& op : block.ops) {
      for (const Value each : op.results) numbers.insert(side.numbers(each).relaxed);
    }
  }

  Divergence divergence(std::string what, const Op& left, const Op& right) const {
    return {std::move(what), left_side_.place(left), right_side_.place(right)};
  }

  /// The op that computes a value, if it is movable and the other side has no op like it.
  static const Op* own_definition(const DiffSide& side, Value value,
                                  const std::unordered_set<std::uint32_t>& others) {
    const Op* op = side.definition(value);
    const bool own = op != nullptr && is_movable(*op) &&
                     !others.contains(side.numbers(op->results.front()).relaxed);
    return own ? op : nullptr;
  }

  /// Goes on to the ends of the first blocks that give something else.
  bool enter_block(const Op*& left, const Op*& right) {
    if (!is_movable(*left) || !is_movable(*right)) return false;
    for (std::size_t i = 0; i < std::min(left->regions.size(), right->regions.size()); ++i) {
      const Op& left_end = left->regions[i].ops.back();
      const Op& right_end = right->regions[i].ops.back();
      if (!are_alike(left_side_, left_end, right_side_, right_end, options_)) {
        enter(left->regions[i], right->regions[i]);
        left = &left_end;
        right = &right_end;
        return true;
      }
    }
    return false;
  }

  const DiffSide& left_side_;
  const DiffSide& right_side_;
  const DiffOptions& options_;
  std::unordered_set<std::uint32_t> left_numbers_;
  std::unordered_set<std::uint32_t> right_numbers_;
};

}  // namespace

bool are_alike(const DiffSide& left_side, const Op& left, const DiffSide& right_side,
               const Op& right, const DiffOptions& options) {
  return !head_difference(left_side, left, right_side, right, options) &&
         !operand_difference(left_side, left, right_side, right);
}

Divergence explain(const DiffSide& left_side, const Op& left, const DiffSide& right_side,
                   const Op& right, std::span<const BlockPair> around, const DiffOptions& options) {
  Explainer explainer(left_side, right_side, options);
  for (const auto& [left_block, right_block] : around) explainer.enter(*left_block, *right_block);
  return explainer.explain(&left, &right);
}

}  // namespace tw::inline v0::ir
