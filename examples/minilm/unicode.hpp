// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// What BERT's text clean-up asks of a code point.
///
/// The model was trained on, and is served with, the Python package `tokenizers`, whose tables of
/// general categories stopped at Unicode 8: it keeps a combining mark of Unicode 9 where it drops
/// an older one. `classify` answers as that package does, whatever version utf8proc has.
namespace minilm::unicode {

enum class Class {
  word,         ///< letters, digits, symbols, unassigned code points
  space,        ///< separators (Z*), tab, line feed, carriage return
  ignored,      ///< controls, formats and private use (Cc, Cf, Co), U+FFFD
  mark,         ///< nonspacing marks (Mn), which accents decompose to
  punctuation,  ///< P*, and all ASCII symbols
};

[[nodiscard]] Class classify(char32_t code_point);

/// Whether BERT treats the code point as a word of its own: the CJK ideographs known when it was
/// trained, neither Hangul nor kana.
[[nodiscard]] bool is_ideograph(char32_t code_point);

/// The simple lower-case mapping, one code point to one.
[[nodiscard]] char32_t to_lower(char32_t code_point);

/// Appends the full canonical decomposition, marks in the order the decomposition lists them.
void append_decomposition(char32_t code_point, std::u32string& out);

/// The code points of UTF-8 text; bytes that are not part of well-formed UTF-8 are left out.
[[nodiscard]] std::u32string decode(std::string_view utf8);

}  // namespace minilm::unicode
