// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>

#include <tilewright/dsl/tile.hpp>

namespace tw::inline v0 {

namespace detail {

template <class T>
concept tile_value = requires(const T& x) {
  { x.ref() } -> std::same_as<const TileRef&>;
};

}  // namespace detail

/// A format string with the line that gives it.
struct FormatAt {
  const char* text;
  Location where;
  FormatAt(const char* format,  // NOLINT(google-explicit-constructor)
           Location line = Location::current())
      : text(format), where(line) {}
};

/// Prints tiles from every block, with a printf-like format; the text reaches the log sink when the
/// launch's stream is synchronised.
template <class... Tiles>
void print(FormatAt format, const Tiles&... values) {
  static_assert((detail::tile_value<Tiles> && ...), "print: takes tiles and scalars of the device");
  if constexpr (sizeof...(Tiles) == 0) {
    detail::print(format.text, {}, format.where);
  } else {
    const std::array refs{values.ref()...};
    detail::print(format.text, refs, format.where);
  }
}

/// A device assertion: where the condition is false the launch goes on, and its `sync` throws
/// DeviceFault with the message and this line.
template <int... D>
void check(const Tile<bool, D...>& condition, const char* message,
           Location where = Location::current()) {
  detail::check(condition.ref(), message, where);
}

}  // namespace tw::inline v0
