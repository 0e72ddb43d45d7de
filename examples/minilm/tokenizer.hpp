// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace minilm {

using TokenId = std::int32_t;

/// BERT's uncased WordPiece tokenizer (Devlin et al. 2018), with the same ids as the Python package
/// `tokenizers` gives for all-MiniLM-L6-v2.
///
/// Text is cleaned (controls dropped, separators made spaces, accents and case removed), cut at
/// spaces, punctuation and ideographs into words, and each word into the longest pieces that the
/// vocabulary has, from left to right; a word that cannot be cut so, or of more than 100 code
/// points, becomes one `[UNK]`. The special tokens' names in the text stand for themselves.
class Tokenizer {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  /// Reads a `vocab.txt`: UTF-8, one token a line, its id the line's number from zero. Throws
  /// std::system_error when it cannot be read and std::runtime_error when it names a token twice or
  /// lacks a special one.
  explicit Tokenizer(const std::filesystem::path& vocabulary);

  /// The ids of `text` between those of `[CLS]` and `[SEP]`, the text's own cut off so that all are
  /// at most `max_tokens`, which must be two or more (std::invalid_argument). Bytes that are not
  /// UTF-8 count as U+FFFD, which the clean-up drops.
  [[nodiscard]] std::vector<TokenId> encode(std::string_view text,
                                            std::size_t max_tokens = unlimited) const;

  /// The number of tokens in the vocabulary; ids are below it.
  [[nodiscard]] std::size_t size() const noexcept { return words_.size() + continuations_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::u32string_view text) const noexcept {
      return std::hash<std::u32string_view>{}(text);
    }
  };
  using Pieces = std::unordered_map<std::u32string, TokenId, Hash, std::equal_to<>>;
  struct Special {
    std::string_view name;
    TokenId id;
  };

  [[nodiscard]] const Special* special_at(std::string_view text) const;
  void append_text(std::string_view text, std::vector<TokenId>& ids) const;
  void append_word(std::u32string_view word, std::vector<TokenId>& ids) const;

  Pieces words_;          ///< pieces that start a word
  Pieces continuations_;  ///< pieces that go on in one, without the vocabulary's "##"
  std::vector<Special> specials_;
  TokenId unknown_;
  TokenId start_;
  TokenId end_;
};

}  // namespace minilm
