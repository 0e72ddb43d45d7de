// SPDX-License-Identifier: Apache-2.0
#include "ir/generic_attributes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ir/attribute_parser.hpp"

namespace tw::inline v0::ir {
namespace {

bool at_one_of(const TextCursor& cursor, std::string_view marks) {
  return cursor.at(Token::Kind::mark) && marks.find(cursor.token().text) != marks.npos;
}

/// Goes on to the next of these marks outside of all brackets.
void skip_to(TextCursor& cursor, std::string_view marks) {
  const std::size_t begin = cursor.token().offset;
  int depth = 0;
  while (depth > 0 || !at_one_of(cursor, marks)) {
    if (cursor.at(Token::Kind::end)) cursor.fail(begin, "this value has no end");
    depth += cursor.nesting();
    cursor.advance();
  }
}

/// `: i32` behind a number.
void skip_number_type(TextCursor& cursor) {
  if (cursor.accept(":")) take_element(cursor);
}

/// `#cuda_tile.rounding<zero>`, or its number.
std::int64_t take_enumerator(TextCursor& cursor, const AttributeRow& row) {
  const auto names = value_names(row.kind);
  const std::size_t begin = cursor.token().offset;
  if (cursor.at(Token::Kind::number)) {
    const std::uint64_t number = take_natural(cursor, attribute_text(row.name));
    skip_number_type(cursor);
    if (number < names.size()) return static_cast<std::int64_t>(number);
    cursor.fail(begin, fmt::format("{} has no value {}", attribute_text(row.name), number));
  }
  cursor.take(Token::Kind::attribute, attribute_text(row.name));
  cursor.expect("<");
  const std::size_t value = cursor.take_one_of(names, attribute_text(row.name));
  cursor.expect(">");
  return static_cast<std::int64_t>(value);
}

std::int64_t take_typed_integer(TextCursor& cursor) {
  const std::int64_t value = cursor.take_integer();
  skip_number_type(cursor);
  return value;
}

}  // namespace

void skip_value(TextCursor& cursor) {
  if (cursor.accept("=")) skip_to(cursor, ",}");
}

std::vector<std::int64_t> take_array(TextCursor& cursor) {
  cursor.expect("array");
  cursor.expect("<");
  const bool of_booleans = take_element(cursor) == ElementKind::i1;
  std::vector<std::int64_t> values;
  if (cursor.accept(":")) {
    do values.push_back(of_booleans ? cursor.take_boolean() : cursor.take_integer());
    while (cursor.accept(","));
  }
  cursor.expect(">");
  return values;
}

/// The kind of the elements is told behind them.
Constant take_dense(TextCursor& cursor, TypeParser& types, Type& type) {
  cursor.expect("dense");
  cursor.expect("<");
  const std::size_t elements = cursor.token().offset;
  skip_to(cursor, ">");
  cursor.expect(">");
  cursor.expect(":");
  type = types.take();
  const std::size_t behind = cursor.token().offset;
  const auto* tile = type.as<TileType>();
  if (tile == nullptr || tile->holds_pointers()) {
    cursor.fail(elements, fmt::format("a constant of {}", to_string(type)));
  }
  cursor.jump(elements);
  const ConstantText text = take_elements(cursor, tile->kind());
  cursor.expect(">");
  Constant constant = constant_of(cursor, text, type);
  cursor.jump(behind);
  return constant;
}

Attribute take_generic_attribute(TextCursor& cursor, TypeParser& types, const AttributeRow& row,
                                 std::span<const ElementKind> operands) {
  if (row.kind == AttributeKind::unit) {
    if (cursor.accept("=")) cursor.expect("unit");
    return std::int64_t{1};
  }
  cursor.expect("=");
  if (!value_names(row.kind).empty()) return take_enumerator(cursor, row);
  switch (row.kind) {
    case AttributeKind::boolean:
      return std::int64_t{cursor.take_boolean()};
    case AttributeKind::integer:
      return take_typed_integer(cursor);
    case AttributeKind::string:
      return row.name == AttributeName::name ? cursor.take_symbol() : cursor.take_string();
    case AttributeKind::constant: {
      Type type;
      return take_dense(cursor, types, type);
    }
    case AttributeKind::predicate:
      return take_predicate(cursor);
    case AttributeKind::hints:
      cursor.take(Token::Kind::attribute, attribute_text(row.name));
      return take_hints(cursor);
    case AttributeKind::int32_array:
    case AttributeKind::bool_array:
      return IntArray(take_array(cursor));
    default:
      return take_scalars(cursor, operands);
  }
}

}  // namespace tw::inline v0::ir
