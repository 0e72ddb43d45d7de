// SPDX-License-Identifier: Apache-2.0
#include "ir/text_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <tilewright/ir/parser.hpp>

#include "ir/characters.hpp"

namespace tw::inline v0::ir {
namespace {

constexpr std::size_t most_errors = 100;
/// Of a line in an error, on either side of the caret.
constexpr std::size_t shown_characters = 80;

bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_in_word(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }

bool is_in_value(char c) { return is_in_word(c) || c == '-'; }

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

int digit_value(char c) { return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10; }

/// What would move the caret or hide in a terminal is shown as a blank or a question mark.
char shown_character(char c) {
  if (c == '\t') return ' ';
  return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f ? c : '?';
}

/// The line of a place, up to some characters away from it, with a caret below.
std::string shown_line(std::string_view text, std::size_t offset, std::size_t column) {
  const std::size_t begin = offset - column;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  const std::size_t cut = column > shown_characters ? column - shown_characters : 0;
  const std::size_t length = std::min(end, offset + shown_characters) - begin - cut;
  std::string shown;
  std::ranges::transform(text.substr(begin + cut, length), std::back_inserter(shown),
                         shown_character);
  return shown + fmt::format("\n  {:>{}}", '^', column - cut + 1);
}

}  // namespace

TextCursor::TextCursor(std::string_view text, std::string_view file)
    : text_(text), file_(file), lines_{0} {
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', end + 1)) {
    lines_.push_back(end + 1);
  }
  advance();
  token_.first_on_line = true;
}

TextPosition TextCursor::position(std::size_t offset) const {
  const auto next = std::ranges::upper_bound(lines_, offset);
  return {static_cast<std::uint32_t>(next - lines_.begin()),
          static_cast<std::uint32_t>(1 + offset - *(next - 1))};
}

/// Skips blanks and comments; whether a line ended there.
bool TextCursor::skip_space() {
  bool line_ended = false;
  while (next_ < text_.size()) {
    if (is_space(peek())) {
      line_ended |= peek() == '\n';
      ++next_;
    } else if (peek() == '/' && peek(1) == '/') {
      next_ = std::min(text_.find('\n', next_), text_.size());
    } else {
      break;
    }
  }
  return line_ended;
}

void TextCursor::advance() {
  token_.first_on_line = skip_space();
  token_.offset = next_;
  token_.kind = scan();
  token_.text = text_.substr(token_.offset, next_ - token_.offset);
}

void TextCursor::jump(std::size_t offset) {
  next_ = offset;
  advance();
}

void TextCursor::scan_while(bool (*belongs)(char)) {
  while (next_ < text_.size() && belongs(text_[next_])) ++next_;
}

Token::Kind TextCursor::scan() {
  using enum Token::Kind;
  if (next_ == text_.size()) return end;
  const char c = text_[next_++];
  if (is_letter(c)) return scan_while(is_in_word), word;
  if (is_digit(c)) return scan_number();
  if (c == '-' && peek() == '>') return ++next_, arrow;
  if (c == '-' && is_digit(peek())) return ++next_, scan_number();
  if (c == '"') return scan_string(string);
  if (c == '%' && is_in_value(peek())) return scan_while(is_in_value), value;
  if (c == '#' && is_in_word(peek())) return scan_while(is_in_word), attribute;
  if (c == '!' && is_in_word(peek())) return scan_while(is_in_word), type;
  if (c == '@' && is_in_word(peek())) return scan_while(is_in_word), symbol;
  if (c == '@' && peek() == '"') return ++next_, scan_string(symbol);
  return mark;
}

/// Behind the opening quote; a string that does not end on its line is no string.
Token::Kind TextCursor::scan_string(Token::Kind kind) {
  while (next_ < text_.size() && peek() != '\n') {
    const char c = text_[next_++];
    if (c == '"') return kind;
    if (c == '\\' && next_ < text_.size() && peek() != '\n') ++next_;
  }
  return Token::Kind::mark;
}

/// Behind the first digit.
Token::Kind TextCursor::scan_number() {
  if (text_[next_ - 1] == '0' && peek() == 'x' && is_hex_digit(peek(1))) {
    ++next_;
    scan_while(is_hex_digit);
    return Token::Kind::number;
  }
  scan_while(is_digit);
  if (peek() != '.') return Token::Kind::number;
  ++next_;
  scan_while(is_digit);
  if (peek() == 'e' || peek() == 'E') {
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (is_digit(peek(1 + sign))) {
      next_ += 1 + sign;
      scan_while(is_digit);
    }
  }
  return Token::Kind::number;
}

bool TextCursor::at(std::string_view token) const {
  const bool fixed = at(Token::Kind::word) || at(Token::Kind::arrow) || at(Token::Kind::mark);
  return fixed && token_.text == token;
}

bool TextCursor::accept(std::string_view token) {
  const bool found = at(token);
  if (found) advance();
  return found;
}

void TextCursor::expect(std::string_view token) {
  if (!accept(token)) fail_expected(fmt::format("'{}'", token));
}

Token TextCursor::take(Token::Kind kind, std::string_view what) {
  if (!at(kind)) fail_expected(what);
  const Token taken = token_;
  advance();
  return taken;
}

std::string TextCursor::unquoted(std::string_view quoted, std::size_t offset) {
  std::string bytes;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    char c = quoted[i];
    if (c == '\\') {
      c = quoted[++i];
      if (is_hex_digit(c) && is_hex_digit(quoted[i + 1])) {
        c = static_cast<char>(16 * digit_value(c) + digit_value(quoted[++i]));
      } else if (c == 'n' || c == 't') {
        c = c == 'n' ? '\n' : '\t';
      } else if (c != '"' && c != '\\') {
        fail(offset + i - 1, "no character is written like this");
      }
    }
    bytes += c;
  }
  return bytes;
}

std::string TextCursor::take_string() {
  const Token taken = take(Token::Kind::string, "a string");
  return unquoted(taken.text, taken.offset);
}

std::string TextCursor::take_symbol() {
  const Token taken = take(Token::Kind::symbol, "a symbol");
  const std::string_view name = taken.text.substr(1);
  return name[0] == '"' ? unquoted(name, taken.offset + 1) : std::string(name);
}

std::int64_t TextCursor::take_integer() {
  const Token taken = take(Token::Kind::number, "an integer");
  std::int64_t value = 0;
  const char* const first = taken.text.data();
  const char* const last = first + taken.text.size();
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc()) fail(taken.offset, "the integer does not fit into 64 bits");
  if (end != last)
    fail(taken.offset, "expected an integer, found '" + std::string(taken.text) + "'");
  return value;
}

bool TextCursor::take_boolean() {
  constexpr std::string_view words[] = {"false", "true"};
  return take_one_of(words, "true or false") == 1;
}

template <class Take>
std::vector<std::int64_t> TextCursor::take_list(Take take) {
  std::vector<std::int64_t> values;
  expect("[");
  if (accept("]")) return values;
  do values.push_back(take());
  while (accept(","));
  expect("]");
  return values;
}

std::vector<std::int64_t> TextCursor::take_integers() {
  return take_list([this] { return take_integer(); });
}

std::vector<std::int64_t> TextCursor::take_booleans() {
  return take_list([this] { return take_boolean() ? 1 : 0; });
}

std::size_t TextCursor::take_one_of(std::span<const std::string_view> words,
                                    std::string_view what) {
  const auto found = std::ranges::find(words, token_.text);
  if (!at(Token::Kind::word) || found == words.end()) fail_expected(what);
  advance();
  return static_cast<std::size_t>(found - words.begin());
}

void TextCursor::skip_braces() {
  const std::size_t begin = token_.offset;
  std::size_t depth = 0;
  do {
    if (at(Token::Kind::end)) fail(begin, "this brace is never closed");
    if (at("{")) ++depth;
    if (at("}")) --depth;
    advance();
  } while (depth != 0);
}

int TextCursor::nesting() const {
  constexpr std::string_view opening = "<([{";
  constexpr std::string_view closing = ">)]}";
  if (!at(Token::Kind::mark)) return 0;
  if (opening.find(token_.text) != opening.npos) return 1;
  return closing.find(token_.text) != closing.npos ? -1 : 0;
}

void TextCursor::skip_definition() {
  int depth = 0;
  do {
    depth += nesting();
    advance();
  } while (!at(Token::Kind::end) && (depth > 0 || !token_.first_on_line));
}

void TextCursor::report(std::size_t offset, std::string message) {
  if (!problems_.empty() && problems_.back().offset == offset) return;
  problems_.push_back({offset, std::move(message)});
  if (problems_.size() >= most_errors) throw_errors();
}

void TextCursor::fail(std::size_t offset, std::string message) {
  report(offset, std::move(message));
  throw ParseFailure();
}

void TextCursor::fail_expected(std::string_view what) {
  std::string found = "the end of the text";
  if (!at(Token::Kind::end)) {
    found = "'";
    std::ranges::transform(token_.text.substr(0, shown_characters), std::back_inserter(found),
                           shown_character);
    found += "'";
  }
  fail(token_.offset, fmt::format("expected {}, found {}", what, found));
}

void TextCursor::throw_errors() {
  if (problems_.empty()) return;
  std::vector<Diagnostic> diagnostics;
  for (Problem& each : problems_) {
    const TextPosition position = this->position(each.offset);
    diagnostics.push_back({std::move(each.message),
                           CodePlace(file_, position.line, position.column),
                           {{shown_line(text_, each.offset, position.column - 1), {}}}});
  }
  throw ParseError(std::move(diagnostics));
}

}  // namespace tw::inline v0::ir
