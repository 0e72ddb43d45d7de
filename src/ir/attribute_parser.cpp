// SPDX-License-Identifier: Apache-2.0
#include "ir/attribute_parser.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "ir/float_text.hpp"
#include "ir/type_parser.hpp"

namespace tw::inline v0::ir {
namespace {

constexpr std::size_t deepest_list = 32;
constexpr std::string_view dialect = "#cuda_tile.";

std::uint64_t mask(ElementKind kind) { return ~std::uint64_t{0} >> (64u - info(kind).bits); }

bool is_hex(std::string_view number) { return number.starts_with("0x"); }

/// A natural number in decimal or hexadecimal digits.
std::uint64_t natural(TextCursor& cursor, const Token& token, std::string_view digits) {
  const int base = is_hex(digits) ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const first = digits.data();
  const char* const last = first + digits.size();
  const auto [end, error] = std::from_chars(first, last, value, base);
  if (error != std::errc()) cursor.fail(token.offset, "the number does not fit into 64 bits");
  if (end != last) cursor.fail(token.offset, "an integer has no point");
  return value;
}

/// Any number that fits into the bits of the kind, signed or unsigned.
std::uint64_t integer_bits(TextCursor& cursor, ElementKind kind) {
  if (cursor.at("true") || cursor.at("false")) return cursor.take_boolean() ? mask(kind) & 1 : 0;
  const Token token = cursor.take(Token::Kind::number, "an integer");
  const bool negative = token.text[0] == '-';
  const std::uint64_t magnitude = natural(cursor, token, token.text.substr(negative ? 1 : 0));
  const std::uint64_t lowest = mask(kind) / 2 + 1;
  if (magnitude > (negative ? lowest : mask(kind))) {
    cursor.fail(token.offset, fmt::format("{} does not fit into {}", token.text, info(kind).name));
  }
  return (negative ? ~magnitude + 1 : magnitude) & mask(kind);
}

std::uint64_t float_bits(TextCursor& cursor, ElementKind kind) {
  const Token token = cursor.take(Token::Kind::number, "a number");
  if (is_hex(token.text)) {
    const std::uint64_t bits = natural(cursor, token, token.text);
    if (bits <= mask(kind)) return bits;
    cursor.fail(token.offset, fmt::format("{} has more bits than {}", token.text, info(kind).name));
  }
  if (token.text.find('.') == std::string_view::npos) {
    cursor.fail(token.offset, "a number of a float type needs a point");
  }
  const auto bits = parse_float(kind, token.text);
  if (bits) return *bits;
  cursor.fail(token.offset, fmt::format("{} is beyond {}", token.text, info(kind).name));
}

std::uint64_t element(TextCursor& cursor, ElementKind kind) {
  return info(kind).is_float() ? float_bits(cursor, kind) : integer_bits(cursor, kind);
}

/// The elements of a list and of the lists in it; all lists at one depth are of one length.
void take_list(TextCursor& cursor, ConstantText& text, std::size_t depth) {
  const std::size_t begin = cursor.token().offset;
  if (depth == deepest_list) cursor.fail(begin, "more than 32 lists in each other");
  const bool is_first = depth == text.shape.size();
  if (is_first) text.shape.push_back(0);
  cursor.expect("[");
  const bool has_lists = cursor.at("[");
  if (!is_first && has_lists != (depth + 1 < text.shape.size())) {
    cursor.fail_expected(has_lists ? "a number" : "'['");
  }
  std::int64_t length = 0;
  do {
    if (has_lists) {
      take_list(cursor, text, depth + 1);
    } else {
      text.elements.push_back(element(cursor, text.kind));
    }
    ++length;
  } while (cursor.accept(","));
  cursor.expect("]");
  if (is_first) text.shape[depth] = length;
  if (text.shape[depth] != length) cursor.fail(begin, "the lists have different lengths");
}

/// The bytes of `"0x..."`, one or more an element.
void take_bytes(TextCursor& cursor, ConstantText& text) {
  const std::string digits = cursor.take_string();
  const std::size_t width = (info(text.kind).bits + 7u) / 8u;
  const bool whole = digits.starts_with("0x") && (digits.size() - 2) % (2 * width) == 0;
  if (!whole) cursor.fail(text.offset, "the bytes are no whole number of elements");
  std::uint64_t bits = 0;
  for (std::size_t i = 2; i < digits.size(); i += 2) {
    std::uint64_t byte = 0;
    const auto [end, error] = std::from_chars(&digits[i], &digits[i] + 2, byte, 16);
    if (error != std::errc() || end != &digits[i] + 2) cursor.fail(text.offset, "no hexadecimal");
    const std::size_t place = (i / 2 - 1) % width;
    bits |= byte << (8 * place);
    if (place + 1 == width) text.elements.push_back(std::exchange(bits, 0) & mask(text.kind));
  }
}

std::optional<std::int64_t> take_bound(TextCursor& cursor) {
  if (cursor.accept("?")) return std::nullopt;
  return cursor.take_integer();
}

DivBy take_divisor(TextCursor& cursor) {
  DivBy predicate{take_natural(cursor, "a divisor")};
  if (cursor.accept(",")) {
    cursor.expect("every");
    predicate.every = cursor.take_integer();
    cursor.expect("along");
    predicate.along = cursor.take_integer();
  }
  return predicate;
}

SameElements take_counts(TextCursor& cursor) {
  const std::vector<std::int64_t> counts = cursor.take_integers();
  return {Shape(counts.data(), counts.data() + counts.size())};
}

Bounded take_bounds(TextCursor& cursor) {
  Bounded predicate{take_bound(cursor)};
  cursor.expect(",");
  predicate.upper = take_bound(cursor);
  return predicate;
}

HintValue take_hint_value(TextCursor& cursor) {
  if (cursor.at(Token::Kind::string)) return cursor.take_string();
  if (cursor.at("true") || cursor.at("false")) return cursor.take_boolean();
  return cursor.take_integer();
}

HintSet take_hint_set(TextCursor& cursor) {
  HintSet set;
  cursor.expect("{");
  while (!cursor.at("}")) {
    const Token key = cursor.take(Token::Kind::word, "the name of a hint");
    cursor.expect("=");
    set[std::string(key.text)] = take_hint_value(cursor);
    if (!cursor.accept(",")) break;
  }
  cursor.expect("}");
  return set;
}

}  // namespace

std::uint64_t take_natural(TextCursor& cursor, std::string_view what) {
  const Token token = cursor.take(Token::Kind::number, what);
  if (token.text[0] == '-') cursor.fail(token.offset, fmt::format("{} is not negative", what));
  return natural(cursor, token, token.text);
}

ConstantText take_constant(TextCursor& cursor) {
  const std::size_t begin = cursor.token().offset;
  const ElementKind kind = take_element(cursor);
  cursor.expect(":");
  ConstantText text = take_elements(cursor, kind);
  text.offset = begin;
  return text;
}

ConstantText take_elements(TextCursor& cursor, ElementKind kind) {
  ConstantText text{cursor.token().offset, kind, false, {}, {}};
  if (cursor.at(Token::Kind::string)) {
    take_bytes(cursor, text);
  } else if (cursor.at("[")) {
    take_list(cursor, text, 0);
  } else {
    text.is_splat = true;
    text.elements.push_back(element(cursor, text.kind));
  }
  return text;
}

Constant constant_of(TextCursor& cursor, const ConstantText& text, const Type& type) {
  const auto* tile = type.as<TileType>();
  if (tile == nullptr || tile->holds_pointers() || tile->kind() != text.kind) {
    cursor.fail(text.offset,
                fmt::format("{} elements for {}", info(text.kind).name, to_string(type)));
  }
  if (text.is_splat) return splat(text.kind, text.elements.front());
  const bool fits = text.shape.empty()
                        ? static_cast<std::size_t>(product(tile->shape)) == text.elements.size()
                        : text.shape == tile->shape;
  if (fits && !text.elements.empty()) return dense(text.kind, text.elements);
  cursor.fail(text.offset, fmt::format("the elements do not fill {}", to_string(type)));
}

ScalarArray take_scalars(TextCursor& cursor, std::span<const ElementKind> operands) {
  ScalarArray scalars;
  cursor.expect("[");
  while (!cursor.at("]")) {
    const std::size_t number = cursor.token().offset;
    const bool is_boolean = cursor.at(Token::Kind::word);
    const bool has_point = cursor.token().text.find('.') != std::string_view::npos;
    cursor.advance();
    ElementKind kind = has_point ? ElementKind::f64 : ElementKind::i64;
    if (is_boolean) kind = ElementKind::i1;
    // Of the patterns of infinities and NaNs only the operand tells that they are no integers.
    const std::size_t index = scalars.size();
    if (index < operands.size() && operands[index] == ElementKind::f64 && !is_boolean) {
      kind = ElementKind::f64;
    }
    if (cursor.accept(":")) kind = take_element(cursor);
    const std::size_t behind = cursor.token().offset;
    cursor.jump(number);
    scalars.push_back({kind, element(cursor, kind)});
    cursor.jump(behind);
    if (!cursor.accept(",")) break;
  }
  cursor.expect("]");
  return scalars;
}

Hints take_hints(TextCursor& cursor) {
  Hints hints;
  cursor.expect("<");
  while (!cursor.at(">")) {
    const Token architecture = cursor.take(Token::Kind::word, "an architecture");
    cursor.expect("=");
    hints[std::string(architecture.text)] = take_hint_set(cursor);
    if (!cursor.accept(",")) break;
  }
  cursor.expect(">");
  return hints;
}

AssumePredicate take_predicate(TextCursor& cursor) {
  const Token token = cursor.token();
  const bool official = token.text.starts_with(dialect);
  const std::string_view name = token.text.substr(official ? dialect.size() : 0);
  cursor.advance();
  cursor.expect("<");
  AssumePredicate predicate;
  if (name == "div_by") {
    predicate = take_divisor(cursor);
  } else if (name == "same_elements") {
    predicate = take_counts(cursor);
  } else if (name == "bounded") {
    predicate = take_bounds(cursor);
  } else {
    cursor.fail(token.offset, fmt::format("no predicate is called '{}'", name));
  }
  cursor.expect(">");
  return predicate;
}

}  // namespace tw::inline v0::ir
