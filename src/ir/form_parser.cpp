// SPDX-License-Identifier: Apache-2.0
#include "ir/form_parser.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "ir/characters.hpp"
#include "ir/text_form.hpp"

namespace tw::inline v0::ir {
namespace {

/// Of one type, as an op has that asks for the extents of a view.
constexpr std::size_t most_repeated_results = 32;
/// Of the parameters of a kernel, and of the axes of a tensor.
constexpr std::uint64_t most_positions = std::numeric_limits<std::int32_t>::max();

/// The first word, arrow or mark of a literal, which is taken off.
std::string_view take_token(std::string_view& literal) {
  literal.remove_prefix(std::min(literal.find_first_not_of(' '), literal.size()));
  const auto word_end = std::ranges::find_if_not(literal, is_letter);
  auto length = static_cast<std::size_t>(word_end - literal.begin());
  if (length == 0)
    length = literal.starts_with("->") ? 2 : std::min<std::size_t>(1, literal.size());
  const std::string_view token = literal.substr(0, length);
  literal.remove_prefix(length);
  return token;
}

bool is_enumeration(AttributeKind kind) { return !value_names(kind).empty(); }

std::string_view modifier_keyword(AttributeKind kind) {
  if (kind == AttributeKind::rounding) return "rounding";
  return kind == AttributeKind::overflow ? "overflow" : std::string_view();
}

}  // namespace

void check_types(TextCursor& cursor, const Function& function, std::span<const Value> values,
                 std::size_t offset, std::span<const Type> types) {
  if (values.size() != types.size()) {
    cursor.fail(offset, fmt::format("{} types for {} values", types.size(), values.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Type& defined = function.type(values[i]);
    if (!defined || !types[i] || defined == types[i]) continue;
    cursor.fail(offset,
                fmt::format("{} for a value of {}", to_string(types[i]), to_string(defined)));
  }
}

std::vector<ElementKind> element_kinds(const Function& function, std::span<const Value> values) {
  std::vector<ElementKind> kinds;
  for (const Value each : values) {
    const auto* tile = function.type(each).as<TileType>();
    kinds.push_back(tile != nullptr ? tile->kind() : ElementKind::i64);
  }
  return kinds;
}

std::span<const Value> OpText::group(std::string_view name) const {
  const std::size_t index = operand_index(*row, name);
  return index < groups.size() ? std::span<const Value>(groups[index]) : std::span<const Value>();
}

void FormParser::read(OpText& op) {
  op.groups.resize(op.row->operands.size());
  has_result_types_ = false;
  constant_.reset();
  extents_.assign(2, {});
  read_form(op, text_form(op.row->code).text);
  finish(op);
}

void FormParser::read_form(OpText& op, std::string_view form) {
  while (!form.empty()) {
    const FormPiece piece = take_piece(form);
    expect_literal(piece.literal);
    if (piece.part.empty()) return;
    if (!piece.is_optional) {
      placeholder(op, piece.part);
    } else if (is_present(op, piece.part)) {
      read_form(op, piece.part);
    }
  }
}

void FormParser::expect_literal(std::string_view literal) {
  for (auto token = take_token(literal); !token.empty(); token = take_token(literal)) {
    cursor_.expect(token);
  }
}

/// Whether a literal begins with the next token.
bool FormParser::at_literal(std::string_view literal) const {
  const std::string_view token = take_token(literal);
  return !token.empty() && cursor_.at(token);
}

/// Whether an optional part is in the text: the types of operands are where the operands are, all
/// else begins with something that tells.
bool FormParser::is_present(const OpText& op, std::string_view form) {
  const std::string_view name = first_placeholder(form);
  const std::string_view literal = take_piece(form).literal;
  if (name == ":typed") return !types_.at_tensor_view();
  if (name[0] == ':' || name[0] == '=') {
    const std::size_t group = operand_index(*op.row, name.substr(1));
    if (group < op.groups.size()) return !op.groups[group].empty();
  }
  if (literal.find_first_not_of(' ') == literal.npos) return at_placeholder(op, name);
  if (!at_literal(literal)) return false;
  return op.row->code != Opcode::load_ptr_tko || name != "mask" || at_mask();
}

/// Whether the next token begins what a placeholder stands for.
bool FormParser::at_placeholder(const OpText& op, std::string_view name) const {
  if (name == "iterations") return cursor_.at("iter_values");
  if (name == "handed_out") return cursor_.at(":") || cursor_.at("->");
  const AttributeRow* row = attribute_row(*op.row, name);
  if (row == nullptr) return cursor_.at(Token::Kind::value);
  const std::string_view keyword = modifier_keyword(row->kind);
  if (!keyword.empty()) return cursor_.at(keyword);
  return cursor_.at(Token::Kind::word) &&
         std::ranges::count(value_names(row->kind), cursor_.token().text) != 0;
}

/// Whether the value behind the comma that follows is a mask: a padding value may come without one.
bool FormParser::at_mask() {
  const std::size_t comma = cursor_.token().offset;
  cursor_.advance();
  const auto* tile = function_.type(scope_.take()).as<TileType>();
  cursor_.jump(comma);
  return tile == nullptr || tile->kind() == ElementKind::i1;
}

void FormParser::placeholder(OpText& op, std::string_view name) {
  if (name[0] == ':' || name[0] == '=') return types_of(op, name.substr(1), name[0] == '=');
  if (name[0] == '?') return units(op);
  if (name == "iterations") return iterations(op);
  if (name == "handed_out") {
    cursor_.expect(op.groups[0].empty() ? ":" : "->");
    return tell_results(op, types_.take_list());
  }
  if (name == "induction") {
    op.arguments.push_back(cursor_.take(Token::Kind::value, "a value"));
    return;
  }
  if (op.row->code == Opcode::make_tensor_view && name != "base") return extents(op, name);
  const AttributeRow* row = attribute_row(*op.row, name);
  if (row != nullptr) return attribute(op, *row);
  operands(op, operand_index(*op.row, name));
}

void FormParser::tell_results(OpText& op, std::vector<Type> types) {
  op.results = std::move(types);
  has_result_types_ = true;
}

void FormParser::types_of(OpText& op, std::string_view name, bool common) {
  const std::size_t begin = cursor_.token().offset;
  if (name == "result") {
    return tell_results(op, repeated(op, types_.take()));
  }
  if (name == "results") {
    return tell_results(op, types_.take_list());
  }
  const auto values = op.group(name);
  const std::vector<Type> types = types_.take_list(name == "typed" ? 2 : values.size());
  if (name == "typed")
    return check_types(cursor_, function_, typed_operands(op, types.size()), begin, types);
  if (common && types.size() == 1) {
    return check_types(cursor_, function_, values, begin,
                       std::vector<Type>(values.size(), types[0]));
  }
  check_types(cursor_, function_, values, begin, types);
}

/// The base pointer, which is named only if it has an attribute, and the first extent or stride.
std::vector<Value> FormParser::typed_operands(const OpText& op, std::size_t count) {
  std::vector<Value> values;
  for (const auto& group : op.groups) values.insert(values.end(), group.begin(), group.end());
  const std::size_t first = count == 1 && values.size() > 1 ? 1 : 0;
  const std::size_t last = std::min(first + count, std::min<std::size_t>(2, values.size()));
  return {values.begin() + static_cast<std::ptrdiff_t>(first),
          values.begin() + static_cast<std::ptrdiff_t>(last)};
}

/// The keywords of unit attributes, in any order.
void FormParser::units(OpText& op) {
  const auto is_next = [&](const AttributeRow& row) {
    return row.kind == AttributeKind::unit && cursor_.at(unit_keyword(row.name));
  };
  while (true) {
    const auto found = std::ranges::find_if(op.row->attributes, is_next);
    if (found == op.row->attributes.end()) return;
    op.attributes.emplace_back(found->name, Attribute(std::int64_t{1}));
    cursor_.advance();
  }
}

void FormParser::operands(OpText& op, std::size_t group) {
  std::vector<Value>& values = op.groups[group];
  if (op.row->operands[group].arity != Arity::variadic) {
    values.push_back(scope_.take());
    return;
  }
  if (!cursor_.at(Token::Kind::value)) return;
  do {
    if (values.size() == most_operands) cursor_.fail_expected("at most 65535 operands");
    values.push_back(scope_.take());
  } while (cursor_.accept(","));
}

void FormParser::attribute(OpText& op, const AttributeRow& row) {
  Attribute read = value(op, row);
  if (!read.empty()) {
    op.attributes.emplace_back(row.name, std::move(read));
  }
}

/// The value of an attribute, or nothing yet for what is completed later or has its fallback.
Attribute FormParser::value(const OpText& op, const AttributeRow& row) {
  const std::string_view keyword = modifier_keyword(row.kind);
  if (!keyword.empty()) return modifier(row, keyword);
  if (is_enumeration(row.kind)) return enumerator(row);
  switch (row.kind) {
    case AttributeKind::boolean:
      return std::int64_t{cursor_.take_boolean()};
    case AttributeKind::integer:
      return row.name == AttributeName::site ? site() : cursor_.take_integer();
    case AttributeKind::string:
      return row.name == AttributeName::name ? cursor_.take_symbol() : cursor_.take_string();
    case AttributeKind::constant:
      constant_ = take_constant(cursor_);
      return {};
    case AttributeKind::predicate:
      return take_predicate(cursor_);
    case AttributeKind::hints:
      return take_hints(cursor_);
    case AttributeKind::int32_array:
      return IntArray(cursor_.take_integers());
    case AttributeKind::bool_array:
      return IntArray(cursor_.take_booleans());
    default:
      return take_scalars(cursor_, element_kinds(function_, op.group("operands")));
  }
}

/// `rounding<zero>`; nothing if it is left out.
Attribute FormParser::modifier(const AttributeRow& row, std::string_view keyword) {
  if (!cursor_.accept(keyword)) return {};
  cursor_.expect("<");
  const std::int64_t number = enumerator(row);
  cursor_.expect(">");
  return number;
}

std::int64_t FormParser::enumerator(const AttributeRow& row) {
  const std::string_view name = attribute_text(row.name);
  return static_cast<std::int64_t>(cursor_.take_one_of(value_names(row.kind), name));
}

/// A number, or all that a new site holds.
std::int64_t FormParser::site() {
  if (!cursor_.at("<")) return cursor_.take_integer();
  cursor_.advance();
  Site site{LocationId::unknown, cursor_.take_string()};
  while (cursor_.accept(",")) {
    if (cursor_.accept("parameter")) {
      site.parameter = position();
    } else if (cursor_.accept("axis")) {
      site.axis = position();
    } else if (cursor_.accept("silent")) {
      site.silent = true;
    } else {
      place_or_text(site);
    }
  }
  cursor_.expect(">");
  module_.sites.push_back(std::move(site));
  return static_cast<std::int64_t>(module_.sites.size() - 1);
}

/// `= 2`, of a parameter or an axis.
std::int32_t FormParser::position() {
  cursor_.expect("=");
  const std::size_t begin = cursor_.token().offset;
  const std::uint64_t value = take_natural(cursor_, "a position");
  if (value > most_positions) cursor_.fail(begin, "no position is as high");
  return static_cast<std::int32_t>(value);
}

void FormParser::place_or_text(Site& site) {
  const std::size_t begin = cursor_.token().offset;
  site.text = cursor_.take_string();
  if (!cursor_.at(":")) return;
  site.text.clear();
  cursor_.jump(begin);
  site.location = locations_.take_place();
}

/// Numbers, and operands of the group where the type will have none.
void FormParser::extents(OpText& op, std::string_view name) {
  const bool is_shape = name == "shape";
  Shape& extents = extents_[is_shape ? 0 : 1];
  std::vector<Value>& values = op.groups[is_shape ? 1 : 2];
  if (cursor_.at("]")) return;
  do {
    const bool is_operand = cursor_.at(Token::Kind::value);
    if (is_operand) values.push_back(scope_.take());
    extents.push_back(is_operand ? dynamic : cursor_.take_integer());
  } while (cursor_.accept(","));
}

/// `iter_values(%a = %x, %b = %y)`.
void FormParser::iterations(OpText& op) {
  const std::size_t group = operand_index(*op.row, "initValues");
  cursor_.expect("iter_values");
  cursor_.expect("(");
  if (cursor_.accept(")")) return;
  do {
    if (op.groups[group].size() == most_operands) cursor_.fail_expected("at most 65535 values");
    op.arguments.push_back(cursor_.take(Token::Kind::value, "a value"));
    cursor_.expect("=");
    op.groups[group].push_back(scope_.take());
  } while (cursor_.accept(","));
  cursor_.expect(")");
}

/// One type for all results of an op.
std::vector<Type> FormParser::repeated(const OpText& op, const Type& type) {
  const std::size_t count = op.row->variadic_results ? op.named_results : op.row->results;
  if (count == 0 || count > most_repeated_results) {
    cursor_.fail_expected("names for 1 to 32 results");
  }
  return std::vector<Type>(count, type);
}

void FormParser::check_extents(const OpText& op, const TensorViewType& type) {
  if (extents_[0] == type.shape && extents_[1] == type.strides) return;
  cursor_.fail(cursor_.token().offset,
               fmt::format("the extents and strides of {} are not those of {}", op.row->name,
                           to_string(Type(type))));
}

/// What only the types tell.
void FormParser::finish(OpText& op) {
  const std::size_t begin = cursor_.token().offset;
  const std::string_view like = text_form(op.row->code).results_like;
  if (!has_result_types_) {
    for (const Value each : op.group(like)) op.results.push_back(function_.type(each));
    if (like.empty()) op.results.resize(op.row->results, token_type());
  }
  if (!op.row->variadic_results && op.results.size() != op.row->results) {
    cursor_.fail(begin, fmt::format("{} types for results of {}, which has {}", op.results.size(),
                                    op.row->name, op.row->results));
  }
  if (constant_) {
    op.attributes.emplace_back(AttributeName::value,
                               constant_of(cursor_, *constant_, op.results.front()));
  }
  if (op.row->code == Opcode::make_tensor_view) {
    const auto* type = op.results.front().as<TensorViewType>();
    if (type == nullptr) cursor_.fail_expected("a tensor view");
    check_extents(op, *type);
  }
}

}  // namespace tw::inline v0::ir
