// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include <fmt/format.h>

#include <tilewright/ir/summary.hpp>

#include "ir/attribute_text.hpp"
#include "ir/text_form.hpp"

namespace tw::inline v0::ir {
namespace {

/// `16x8xf32`, as it stands in a tile's type.
std::string elements_text(const Type& type) {
  const std::string text = to_string(type);
  const std::string_view before = "tile<";
  return text.starts_with(before) ? text.substr(before.size(), text.size() - before.size() - 1)
                                  : text;
}

std::string enumerator_text(const Op& op, const AttributeRow& row) {
  const auto names = value_names(row.kind);
  const auto value = static_cast<std::size_t>(op.integer(row.name));
  return value < names.size() ? std::string(names[value]) : std::to_string(value);
}

/// Counts the ops of one function.
class Summariser {
 public:
  explicit Summariser(const Function& function) : function_(function) {
    summary_.name = function.name;
    count_hints("entry", function.hints);
    walk(function.body, [&](const Op& op) { count(op); });
  }

  FunctionSummary take() { return std::move(summary_); }

 private:
  void count(const Op& op) {
    ++summary_.ops[std::string(op.row().name)];
    if (attribute_index(op.row(), AttributeName::memory_ordering) >= 0) count_access(op);
    if (op.code == Opcode::mmaf || op.code == Opcode::mmai || op.code == Opcode::mmaf_scaled) {
      count_product(op);
    }
    for (std::size_t i = 0; i < op.attributes.size(); ++i) {
      count_flag(op, op.attributes[i], op.row().attributes[i]);
    }
    const Attribute* hints = op.find(AttributeName::optimization_hints);
    if (hints != nullptr) count_hints(op.row().name, hints->get<Hints>());
  }

  void count_hints(std::string_view of, const Hints& hints) {
    for (const auto& [architecture, set] : hints) {
      for (const auto& [key, value] : set) {
        ++summary_.hints[fmt::format("{} {} {} = {}", of, architecture, key, hint_text(value))];
      }
    }
  }

  /// What goes through the pointers or the view, and what these are.
  void count_access(const Op& op) {
    const AttributeRow& ordering = op.row().attributes[static_cast<std::size_t>(
        attribute_index(op.row(), AttributeName::memory_ordering))];
    std::string text = fmt::format("{} {}", op.row().name, enumerator_text(op, ordering));
    for (const Value each : op.operands) {
      const Type& type = function_.type(each);
      const auto* tile = type.as<TileType>();
      if (type.is_view()) {
        text += fmt::format(" {} of {}", elements_text(loaded_type(type)), to_string(type));
      } else if (tile != nullptr && tile->holds_pointers()) {
        text += " " + elements_text(type);
      }
    }
    ++summary_.accesses[text];
  }

  void count_product(const Op& op) {
    const Shape& left = function_.type(op.operands[0]).tile().shape;
    const TileType& result = function_.type(op.result()).tile();
    std::string text = fmt::format("{} ", op.row().name);
    for (const std::int64_t each : result.shape) text += fmt::format("{}x", each);
    text += fmt::format("{} {} -> {}", left.empty() ? 1 : left[left.size() - 1],
                        info(function_.type(op.operands[0]).tile().kind()).name,
                        info(result.kind()).name);
    ++summary_.products[text];
  }

  void count_flag(const Op& op, const Attribute& value, const AttributeRow& row) {
    if (!row.fallback || is_fallback(value, row)) return;
    const bool is_list = value.is<IntArray>();
    const bool is_word = row.kind == AttributeKind::unit || is_list;
    const std::string text =
        is_word ? std::string(unit_keyword(row.name))
                : fmt::format("{} {}", attribute_text(row.name), enumerator_text(op, row));
    ++summary_.flags[fmt::format("{} {}", op.row().name, text)];
  }

  const Function& function_;
  FunctionSummary summary_;
};

}  // namespace

std::vector<FunctionSummary> summarise(const Module& module) {
  std::vector<FunctionSummary> summaries;
  for (const Function& each : module.functions) summaries.push_back(Summariser(each).take());
  return summaries;
}

}  // namespace tw::inline v0::ir
