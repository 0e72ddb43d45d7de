// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <unordered_map>

#include <tilewright/ir/location.hpp>

#include "ir/text_cursor.hpp"

namespace tw::inline v0::ir {

/// Reads source places, and aliases of them, which may be defined behind their use.
class LocationParser {
 public:
  LocationParser(TextCursor& cursor, LocationTable& table);

  /// `loc(...)` if it follows, else an unknown place.
  LocationId take_optional();
  /// `"file":1:2`.
  LocationId take_place();

 private:
  struct Alias {
    std::size_t definition;
    enum class State { unread, open, read } state = State::unread;
    LocationId id = LocationId::unknown;
  };

  LocationId take();
  LocationId take_one();
  LocationId take_call_site();
  LocationId take_named();
  LocationId take_alias();

  TextCursor& cursor_;
  LocationTable& table_;
  std::unordered_map<std::string_view, Alias> aliases_;
  std::size_t depth_ = 0;
};

}  // namespace tw::inline v0::ir
