// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

#include <tilewright/ir/location.hpp>
#include <tilewright/ir/parser.hpp>

#include "ir/text_cursor.hpp"

namespace tw::inline v0::ir {

/// Reads source places with their scopes, and aliases of all that, which may be defined behind
/// their use.
class LocationParser {
 public:
  LocationParser(TextCursor& cursor, LocationTable& table, DefaultPlace default_place);

  /// `loc(...)` if it follows, else an unknown place.
  LocationId take_optional();
  /// The same for an op whose name stands at `offset`, with the default if the place is unknown.
  LocationId take_optional(std::size_t offset);
  /// `"file":1:2`.
  LocationId take_place();

 private:
  using Value = std::variant<std::monostate, LocationId, ScopeId, std::string>;
  struct Alias {
    std::size_t definition;
    bool is_open = false;  ///< being read, or found to be wrong
    Value value;
  };

  /// What follows, which `read` reads, or an alias of such a thing.
  template <class T>
  T take(T (LocationParser::*read)());
  template <class T>
  T resolved(Alias& alias, T (LocationParser::*read)());

  LocationId read_location();
  LocationId read_call_site();
  LocationId read_fused();
  LocationId read_named();
  LocationId read_scoped();
  ScopeId read_scope();
  ScopeId read_function();
  ScopeId read_block();
  std::string read_file();
  std::string read_unit();
  std::string take_file();
  ScopeId take_scope();
  LocationId take_location();
  std::uint32_t take_number();
  /// `name<`, of the dialect, if it follows.
  bool accept_debug(std::string_view name);
  /// `key = value, key = value>`, each value read by `take_value(key)`.
  template <class TakeValue>
  void take_fields(TakeValue take_value);

  TextCursor& cursor_;
  LocationTable& table_;
  DefaultPlace default_place_;
  std::unordered_map<std::string_view, Alias> aliases_;
  std::size_t depth_ = 0;
};

}  // namespace tw::inline v0::ir
