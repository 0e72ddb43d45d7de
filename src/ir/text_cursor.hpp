// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/core/error.hpp>

namespace tw::inline v0::ir {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,       ///< `addf`, `cuda_tile.module`
    value,      ///< `%0`
    symbol,     ///< `@name`, `@"odd name"`
    attribute,  ///< `#loc3`
    type,       ///< `!cuda_tile.tile`
    string,     ///< in its quotes
    number,     ///< with its sign
    arrow,
    mark,  ///< any other character
  };

  Kind kind = Kind::end;
  bool first_on_line = false;
  std::size_t offset = 0;
  std::string_view text;
};

/// Counted from one.
struct TextPosition {
  std::uint32_t line;
  std::uint32_t column;
};

/// Thrown where a construct cannot be read on. The error has been recorded.
struct ParseFailure {};

/// Steps through a text token by token and collects what is wrong with it.
class TextCursor {
 public:
  TextCursor(std::string_view text, std::string_view file);

  [[nodiscard]] const Token& token() const { return token_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] TextPosition position(std::size_t offset) const;
  void advance();
  /// Goes on at a place of the text.
  void jump(std::size_t offset);

  [[nodiscard]] bool at(Token::Kind kind) const { return token_.kind == kind; }
  /// Whether this is the next token, which is a word, an arrow or a mark.
  [[nodiscard]] bool at(std::string_view token) const;
  /// Takes the next token if it is this one.
  bool accept(std::string_view token);
  void expect(std::string_view token);
  /// Takes a token of this kind; `what` names it in the error.
  Token take(Token::Kind kind, std::string_view what);

  /// The bytes that the next token, a string, stands for.
  std::string take_string();
  /// The name that the next token, a symbol, stands for.
  std::string take_symbol();
  std::int64_t take_integer();
  bool take_boolean();
  /// `[1, 2]`.
  std::vector<std::int64_t> take_integers();
  /// `[true, false]`, as numbers.
  std::vector<std::int64_t> take_booleans();
  /// One of these words; gives its index.
  std::size_t take_one_of(std::span<const std::string_view> words, std::string_view what);
  /// How much deeper in brackets the text is behind the next token: 1, 0 or -1.
  [[nodiscard]] int nesting() const;
  /// Takes the text in the next pair of braces.
  void skip_braces();
  /// Takes a definition, up to the next line that begins outside of all brackets.
  void skip_definition();

  /// Records an error at this place. One place has one error; more than a hundred end the parse.
  void report(std::size_t offset, std::string message);
  [[noreturn]] void fail(std::size_t offset, std::string message);
  /// Fails at the next token: "expected ..., found ...".
  [[noreturn]] void fail_expected(std::string_view what);
  [[nodiscard]] bool has_errors() const { return !problems_.empty(); }
  /// Throws what was recorded as a ParseError, if anything was.
  void throw_errors();

 private:
  struct Problem {
    std::size_t offset;
    std::string message;
  };

  [[nodiscard]] char peek(std::size_t distance = 0) const {
    return next_ + distance < text_.size() ? text_[next_ + distance] : '\0';
  }
  template <class Take>
  std::vector<std::int64_t> take_list(Take take);
  bool skip_space();
  Token::Kind scan();
  Token::Kind scan_string(Token::Kind kind);
  Token::Kind scan_number();
  void scan_while(bool (*belongs)(char));
  std::string unquoted(std::string_view quoted, std::size_t offset);

  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> lines_;  ///< where each begins
  std::size_t next_ = 0;            ///< behind the token
  Token token_;
  std::vector<Problem> problems_;
};

}  // namespace tw::inline v0::ir
