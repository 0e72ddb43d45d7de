// SPDX-License-Identifier: Apache-2.0
#include "ir/generic_parser.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "ir/generic_attributes.hpp"
#include "ir/text_form.hpp"

namespace tw::inline v0::ir {
namespace {

constexpr std::string_view segment_sizes = "operandSegmentSizes";

std::vector<Type> take_types(TextCursor& cursor, TypeParser& types) {
  std::vector<Type> list;
  cursor.expect("(");
  if (!cursor.at(")")) list = types.take_list();
  cursor.expect(")");
  return list;
}

/// Whether a group may have this many operands.
bool may_have(Arity arity, std::size_t size) {
  return arity == Arity::variadic ? size <= most_operands
                                  : size == 1 || (arity == Arity::optional && size == 0);
}

}  // namespace

FunctionType take_function_type(TextCursor& cursor, TypeParser& types) {
  FunctionType type{take_types(cursor, types), {}};
  if (!cursor.accept("->")) cursor.fail_expected("'->'");
  type.results = cursor.at("(") ? take_types(cursor, types) : std::vector<Type>{types.take()};
  return type;
}

GenericParser::Head GenericParser::take_head(OpText& op) {
  Head head;
  cursor_.expect("(");
  if (!cursor_.at(")")) {
    do head.operands.push_back(scope_.take());
    while (cursor_.accept(","));
  }
  cursor_.expect(")");
  if (cursor_.accept("<")) {
    attributes(op, head, false);
    cursor_.expect(">");
  }
  return head;
}

void GenericParser::take_tail(OpText& op, Head& head) {
  const std::size_t offset = cursor_.token().offset;
  if (cursor_.at("{")) attributes(op, head, true);
  groups(op, head, offset);
  check_attributes(op, offset);
  types(op, head);
}

/// Attributes that the op does not have say nothing, where they may stand.
void GenericParser::attributes(OpText& op, Head& head, bool discardable) {
  const std::vector<ElementKind> kinds = element_kinds(function_, head.operands);
  take_dictionary(cursor_, [&](std::string_view name, std::size_t offset) {
    const AttributeRow* row = attribute_row(*op.row, name);
    if (row != nullptr) {
      op.attributes.emplace_back(row->name, take_generic_attribute(cursor_, types_, *row, kinds));
    } else if (name == segment_sizes) {
      cursor_.expect("=");
      head.sizes = take_array(cursor_);
    } else if (discardable) {
      skip_value(cursor_);
    } else {
      cursor_.fail(offset, fmt::format("{} has no attribute {}", op.row->name, name));
    }
  });
}

void GenericParser::groups(OpText& op, const Head& head, std::size_t offset) {
  const auto sizes = group_sizes(op, head, offset);
  auto next = head.operands.begin();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto end = next + static_cast<std::ptrdiff_t>(sizes[i]);
    op.groups.emplace_back(next, end);
    next = end;
  }
}

/// As told, or what is left for the only group whose size is not fixed.
std::vector<std::size_t> GenericParser::group_sizes(const OpText& op, const Head& head,
                                                    std::size_t offset) const {
  const auto rows = op.row->operands;
  std::vector<std::size_t> sizes(rows.size(), 1);
  if (head.sizes) {
    sizes.assign(head.sizes->begin(), head.sizes->end());
  } else {
    const auto is_free = [](const OperandRow& each) { return each.arity != Arity::one; };
    const auto free = std::ranges::find_if(rows, is_free);
    if (std::ranges::count_if(rows, is_free) > 1) {
      cursor_.fail(offset, fmt::format("{} needs {}", op.row->name, segment_sizes));
    }
    if (free != rows.end()) {
      sizes[static_cast<std::size_t>(free - rows.begin())] = head.operands.size() + 1 - rows.size();
    }
  }
  bool sound = sizes.size() == rows.size();
  for (std::size_t i = 0; sound && i < sizes.size(); ++i) sound = may_have(rows[i].arity, sizes[i]);
  if (sound && std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) == head.operands.size())
    return sizes;
  cursor_.fail(offset, fmt::format("{} does not take {} operands like this", op.row->name,
                                   head.operands.size()));
}

/// The form of an op has all attributes that it needs; here they may be forgotten.
void GenericParser::check_attributes(const OpText& op, std::size_t offset) {
  for (const AttributeRow& row : op.row->attributes) {
    const auto given = std::ranges::count(op.attributes, row.name,
                                          [](const auto& attribute) { return attribute.first; });
    if (given > 1) {
      cursor_.fail(offset, fmt::format("{} is given twice", attribute_text(row.name)));
    }
    if (given == 0 && !row.optional && !row.fallback) {
      cursor_.fail(offset, fmt::format("{} needs {}", op.row->name, attribute_text(row.name)));
    }
  }
}

void GenericParser::types(OpText& op, const Head& head) {
  cursor_.expect(":");
  const std::size_t offset = cursor_.token().offset;
  FunctionType type = take_function_type(cursor_, types_);
  check_types(cursor_, function_, head.operands, offset, type.inputs);
  if (!op.row->variadic_results && type.results.size() != op.row->results) {
    cursor_.fail(offset, fmt::format("{} types for results of {}, which has {}",
                                     type.results.size(), op.row->name, op.row->results));
  }
  op.results = std::move(type.results);
  if (op.row->code == Opcode::constant) check_constant(op, offset);
}

/// The elements have a type of their own, and so has the result.
void GenericParser::check_constant(const OpText& op, std::size_t offset) {
  const auto* tile = op.results.front().as<TileType>();
  const auto& value = op.attributes.front().second.get<Constant>();
  if (tile != nullptr && !tile->holds_pointers() &&
      ir::fits(value, tile->kind(), static_cast<std::size_t>(product(tile->shape)))) {
    return;
  }
  cursor_.fail(offset, fmt::format("the elements do not fill {}", to_string(op.results.front())));
}

}  // namespace tw::inline v0::ir
