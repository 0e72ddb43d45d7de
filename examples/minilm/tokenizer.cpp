// SPDX-License-Identifier: Apache-2.0
#include "tokenizer.hpp"

#include <algorithm>
#include <stdexcept>

#include "mapped_file.hpp"
#include "unicode.hpp"

namespace minilm {
namespace {

using unicode::Class;

constexpr std::size_t max_word_length = 100;

std::u32string normalize(std::string_view utf8) {
  std::u32string text;
  std::u32string parts;
  for (const char32_t c : unicode::decode(utf8)) {
    const Class kind = unicode::classify(c);
    if (kind == Class::ignored) continue;
    if (kind == Class::space) {
      text += U' ';
      continue;
    }
    // Marks are put in no canonical order: they are dropped, and a word with one of those that are
    // kept has no pieces in the vocabulary.
    parts.clear();
    unicode::append_decomposition(c, parts);
    const std::u32string_view around = unicode::is_ideograph(c) ? U" " : U"";
    text += around;
    for (const char32_t part : parts) {
      if (unicode::classify(part) != Class::mark) text += unicode::to_lower(part);
    }
    text += around;
  }
  return text;
}

// Calls `use` with each word of normalised text; punctuation is words of one code point.
template <class Use>
void for_each_word(std::u32string_view text, Use use) {
  std::size_t start = 0;
  const auto end_word = [&](std::size_t end) {
    if (end > start) use(text.substr(start, end - start));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Class kind = unicode::classify(text[i]);
    if (kind != Class::space && kind != Class::punctuation) continue;
    end_word(i);
    if (kind == Class::punctuation) use(text.substr(i, 1));
    start = i + 1;
  }
  end_word(text.size());
}

}  // namespace

Tokenizer::Tokenizer(const std::filesystem::path& vocabulary) {
  const auto fail = [&](const std::string& problem) {
    throw std::runtime_error(vocabulary.string() + ": " + problem);
  };
  const MappedFile file(vocabulary);
  std::string_view rest = file.text();
  for (TokenId id = 0; !rest.empty(); ++id) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const std::string_view token = rest.substr(0, length);
    rest.remove_prefix(std::min(length + 1, rest.size()));
    const bool continues = token.size() > 2 && token.starts_with("##");
    Pieces& pieces = continues ? continuations_ : words_;
    if (!pieces.emplace(unicode::decode(token.substr(continues ? 2 : 0)), id).second) {
      fail("token " + std::to_string(id) + " '" + std::string(token) + "' stands there twice");
    }
  }
  for (const std::string_view name : {"[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"}) {
    const auto found = words_.find(unicode::decode(name));
    if (found == words_.end()) fail("no token '" + std::string(name) + "'");
    specials_.push_back({name, found->second});
  }
  unknown_ = specials_[0].id;
  start_ = specials_[1].id;
  end_ = specials_[2].id;
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, std::size_t max_tokens) const {
  if (max_tokens < 2) throw std::invalid_argument("no room for [CLS] and [SEP]");
  std::vector<TokenId> ids{start_};
  std::size_t done = 0;
  for (std::size_t at = 0; (at = text.find('[', at)) != std::string_view::npos;) {
    const Special* special = special_at(text.substr(at));
    if (special == nullptr) {
      ++at;
      continue;
    }
    append_text(text.substr(done, at - done), ids);
    ids.push_back(special->id);
    done = at += special->name.size();
  }
  append_text(text.substr(done), ids);
  ids.resize(std::min(ids.size(), max_tokens - 1));
  ids.push_back(end_);
  return ids;
}

const Tokenizer::Special* Tokenizer::special_at(std::string_view text) const {
  const auto found = std::ranges::find_if(
      specials_, [&](const Special& special) { return text.starts_with(special.name); });
  return found == specials_.end() ? nullptr : &*found;
}

void Tokenizer::append_text(std::string_view text, std::vector<TokenId>& ids) const {
  for_each_word(normalize(text), [&](std::u32string_view word) { append_word(word, ids); });
}

void Tokenizer::append_word(std::u32string_view word, std::vector<TokenId>& ids) const {
  const std::size_t before = ids.size();
  const auto longest_piece = [&](std::size_t start) {
    const Pieces& pieces = start == 0 ? words_ : continuations_;
    for (std::size_t length = word.size() - start; length > 0; --length) {
      const auto found = pieces.find(word.substr(start, length));
      if (found != pieces.end()) return found;
    }
    return pieces.end();
  };
  std::size_t start = 0;
  while (start < word.size() && word.size() <= max_word_length) {
    const auto piece = longest_piece(start);
    if (piece == (start == 0 ? words_ : continuations_).end()) break;
    ids.push_back(piece->second);
    start += piece->first.size();
  }
  if (start == word.size()) return;
  ids.resize(before);
  ids.push_back(unknown_);
}

}  // namespace minilm
