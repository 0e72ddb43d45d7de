// SPDX-License-Identifier: Apache-2.0
#include "ir/location_parser.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tw::inline v0::ir {
namespace {

constexpr std::size_t deepest_place = 64;
constexpr std::string_view dialect = "#cuda_tile.";

}  // namespace

/// Finds the definitions, which stand at the beginning of lines.
LocationParser::LocationParser(TextCursor& cursor, LocationTable& table, DefaultPlace default_place)
    : cursor_(cursor), table_(table), default_place_(default_place) {
  const std::string_view text = cursor.text();
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view definition = text.substr(line, end - line);
    const std::size_t equals = definition.find(" = ");
    if (definition.starts_with('#') && equals != std::string_view::npos) {
      aliases_.try_emplace(definition.substr(0, equals), Alias{line + equals + 3, false, {}});
    }
    line = end + 1;
  }
}

template <class T>
T LocationParser::take(T (LocationParser::*read)()) {
  struct Level {
    std::size_t& depth;
    ~Level() { --depth; }
  };
  const Level level{++depth_};
  if (depth_ > deepest_place) cursor_.fail(cursor_.token().offset, "places are nested too deeply");
  const auto found = aliases_.find(cursor_.token().text);
  return found == aliases_.end() ? (this->*read)() : resolved(found->second, read);
}

template <class T>
T LocationParser::resolved(Alias& alias, T (LocationParser::*read)()) {
  const Token name = cursor_.token();
  if (std::holds_alternative<std::monostate>(alias.value)) {
    if (alias.is_open) {
      cursor_.fail(name.offset, fmt::format("{} is defined by itself or wrongly", name.text));
    }
    alias.is_open = true;
    cursor_.jump(alias.definition);
    alias.value = take(read);
    cursor_.jump(name.offset);
  }
  const T* value = std::get_if<T>(&alias.value);
  if (value == nullptr) {
    cursor_.fail(name.offset, fmt::format("{} is something else", name.text));
  }
  cursor_.advance();
  return *value;
}

LocationId LocationParser::take_location() { return take(&LocationParser::read_location); }

ScopeId LocationParser::take_scope() { return take(&LocationParser::read_scope); }

std::string LocationParser::take_file() { return take(&LocationParser::read_file); }

LocationId LocationParser::take_optional() {
  if (!cursor_.accept("loc")) return LocationId::unknown;
  cursor_.expect("(");
  const LocationId id = take_location();
  cursor_.expect(")");
  return id;
}

LocationId LocationParser::take_optional(std::size_t offset) {
  const LocationId told = take_optional();
  if (told != LocationId::unknown || default_place_ == DefaultPlace::unknown) return told;
  const TextPosition position = cursor_.position(offset);
  return table_.add(SourcePlace{cursor_.file(), position.line, position.column});
}

LocationId LocationParser::read_location() {
  if (cursor_.at(Token::Kind::attribute)) return read_scoped();
  if (cursor_.at("callsite")) return read_call_site();
  if (cursor_.at("fused")) return read_fused();
  if (cursor_.at(Token::Kind::string)) return read_named();
  if (cursor_.at("loc")) return take_optional();
  cursor_.expect("unknown");
  return LocationId::unknown;
}

std::uint32_t LocationParser::take_number() {
  const std::size_t begin = cursor_.token().offset;
  const std::int64_t number = cursor_.take_integer();
  if (number < 0 || number > 0xffffffff) cursor_.fail(begin, "no line or column has this number");
  return static_cast<std::uint32_t>(number);
}

LocationId LocationParser::take_place() {
  SourcePlace place{cursor_.take_string()};
  cursor_.expect(":");
  place.line = take_number();
  cursor_.expect(":");
  place.column = take_number();
  return table_.add(std::move(place));
}

/// `callsite(PLACE at CALLER)`.
LocationId LocationParser::read_call_site() {
  cursor_.advance();
  cursor_.expect("(");
  SourcePlace place = table_[take_location()];
  cursor_.expect("at");
  place.caller = take_location();
  cursor_.expect(")");
  return table_.add(std::move(place));
}

/// `fused[PLACE, PLACE]`: the first that is known.
LocationId LocationParser::read_fused() {
  cursor_.advance();
  cursor_.expect("[");
  LocationId fused = LocationId::unknown;
  do {
    const LocationId each = take_location();
    if (fused == LocationId::unknown) fused = each;
  } while (cursor_.accept(","));
  cursor_.expect("]");
  return fused;
}

/// `"file":1:2`, or `"name"(PLACE)`, whose name is dropped.
LocationId LocationParser::read_named() {
  const std::size_t begin = cursor_.token().offset;
  cursor_.advance();
  if (cursor_.accept("(")) {
    const LocationId id = take_location();
    cursor_.expect(")");
    return id;
  }
  const bool is_place = cursor_.at(":");
  cursor_.jump(begin);
  if (is_place) return take_place();
  cursor_.advance();
  return LocationId::unknown;
}

/// `di_loc<PLACE in SCOPE>`.
LocationId LocationParser::read_scoped() {
  const Token name = cursor_.token();
  if (!accept_debug("di_loc")) {
    cursor_.fail(name.offset, fmt::format("no place is called {}", name.text));
  }
  SourcePlace place = table_[take_location()];
  cursor_.expect("in");
  place.scope = take_scope();
  cursor_.expect(">");
  return table_.add(std::move(place));
}

ScopeId LocationParser::read_scope() {
  if (accept_debug("di_subprogram")) return read_function();
  if (accept_debug("di_lexical_block")) return read_block();
  cursor_.fail_expected("a scope");
}

ScopeId LocationParser::read_function() {
  SourceScope scope;
  take_fields([&](std::string_view key) {
    if (key == "file") return void(scope.file = take_file());
    if (key == "line") return void(scope.line = take_number());
    if (key == "name") return void(scope.name = cursor_.take_string());
    if (key == "linkageName") return void(scope.linkage_name = cursor_.take_string());
    if (key == "compileUnit") return void(scope.unit = take(&LocationParser::read_unit));
    if (key == "scopeLine") return void(scope.body_line = take_number());
    cursor_.fail_expected("a property of a function");
  });
  return table_.add(std::move(scope));
}

ScopeId LocationParser::read_block() {
  SourceScope scope;
  take_fields([&](std::string_view key) {
    if (key == "scope") return void(scope.parent = take_scope());
    if (key == "file") return void(scope.file = take_file());
    if (key == "line") return void(scope.line = take_number());
    if (key == "column") return void(scope.column = take_number());
    cursor_.fail_expected("a property of a block");
  });
  if (scope.parent == ScopeId::none) cursor_.fail_expected("the scope of a block");
  return table_.add(std::move(scope));
}

/// `di_file<"name" in "folder">`.
std::string LocationParser::read_file() {
  if (!accept_debug("di_file")) cursor_.fail_expected("a file");
  const std::string name = cursor_.take_string();
  cursor_.expect("in");
  std::string folder = cursor_.take_string();
  cursor_.expect(">");
  if (!folder.empty() && folder.back() != '/') folder += '/';
  return folder + name;
}

std::string LocationParser::read_unit() {
  if (!accept_debug("di_compile_unit")) cursor_.fail_expected("a compile unit");
  std::string file;
  take_fields([&](std::string_view key) {
    if (key != "file") cursor_.fail_expected("the file of a compile unit");
    file = take_file();
  });
  return file;
}

bool LocationParser::accept_debug(std::string_view name) {
  const std::string_view text = cursor_.token().text;
  if (!text.starts_with(dialect) || text.substr(dialect.size()) != name) return false;
  cursor_.advance();
  cursor_.expect("<");
  return true;
}

template <class TakeValue>
void LocationParser::take_fields(TakeValue take_value) {
  do {
    const Token key = cursor_.take(Token::Kind::word, "a property");
    cursor_.expect("=");
    take_value(key.text);
  } while (cursor_.accept(","));
  cursor_.expect(">");
}

}  // namespace tw::inline v0::ir
