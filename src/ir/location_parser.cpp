// SPDX-License-Identifier: Apache-2.0
#include "ir/location_parser.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tw::inline v0::ir {
namespace {

constexpr std::size_t deepest_place = 64;

std::uint32_t take_number(TextCursor& cursor) {
  const std::size_t begin = cursor.token().offset;
  const std::int64_t number = cursor.take_integer();
  if (number < 0 || number > 0xffffffff) cursor.fail(begin, "no line or column has this number");
  return static_cast<std::uint32_t>(number);
}

}  // namespace

/// Finds the definitions, which stand at the beginning of lines.
LocationParser::LocationParser(TextCursor& cursor, LocationTable& table)
    : cursor_(cursor), table_(table) {
  const std::string_view text = cursor.text();
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view definition = text.substr(line, end - line);
    const std::size_t equals = definition.find(" = ");
    if (definition.starts_with('#') && equals != std::string_view::npos) {
      aliases_.try_emplace(definition.substr(0, equals), Alias{line + equals + 3});
    }
    line = end + 1;
  }
}

LocationId LocationParser::take_optional() {
  if (!cursor_.accept("loc")) return LocationId::unknown;
  cursor_.expect("(");
  const LocationId id = take();
  cursor_.expect(")");
  return id;
}

LocationId LocationParser::take_place() {
  SourcePlace place{cursor_.take_string()};
  cursor_.expect(":");
  place.line = take_number(cursor_);
  cursor_.expect(":");
  place.column = take_number(cursor_);
  return table_.add(std::move(place));
}

LocationId LocationParser::take() {
  if (depth_ == deepest_place) cursor_.fail(cursor_.token().offset, "places are nested too deeply");
  struct Level {
    std::size_t& depth;
    ~Level() { --depth; }
  };
  const Level level{++depth_};
  return take_one();
}

LocationId LocationParser::take_one() {
  if (cursor_.at(Token::Kind::attribute)) return take_alias();
  if (cursor_.at("callsite")) return take_call_site();
  if (cursor_.at(Token::Kind::string)) return take_named();
  if (cursor_.at("loc")) return take_optional();
  cursor_.expect("unknown");
  return LocationId::unknown;
}

/// `callsite(PLACE at CALLER)`.
LocationId LocationParser::take_call_site() {
  cursor_.advance();
  cursor_.expect("(");
  SourcePlace place = table_[take()];
  cursor_.expect("at");
  place.caller = take();
  cursor_.expect(")");
  return table_.add(std::move(place));
}

/// `"file":1:2`, or `"name"(PLACE)`, whose name is dropped.
LocationId LocationParser::take_named() {
  const std::size_t begin = cursor_.token().offset;
  cursor_.advance();
  if (cursor_.accept("(")) {
    const LocationId id = take();
    cursor_.expect(")");
    return id;
  }
  const bool is_place = cursor_.at(":");
  cursor_.jump(begin);
  if (is_place) return take_place();
  cursor_.advance();
  return LocationId::unknown;
}

LocationId LocationParser::take_alias() {
  const Token name = cursor_.token();
  const auto found = aliases_.find(name.text);
  if (found == aliases_.end()) {
    cursor_.fail(name.offset, fmt::format("no place is called {}", name.text));
  }
  Alias& alias = found->second;
  if (alias.state == Alias::State::open) {
    cursor_.fail(name.offset, fmt::format("{} is defined by itself or wrongly", name.text));
  }
  if (alias.state == Alias::State::unread) {
    alias.state = Alias::State::open;
    cursor_.jump(alias.definition);
    alias.id = take();
    alias.state = Alias::State::read;
    cursor_.jump(name.offset);
  }
  cursor_.advance();
  return alias.id;
}

}  // namespace tw::inline v0::ir
