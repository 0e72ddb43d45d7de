// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <tilewright/dsl/report.hpp>
#include <tilewright/dsl/unsafe/order.hpp>

namespace tw::inline v0::unsafe {

/// Tile IR's own assertion: where an element is false the kernel traps, which a GPU's context does
/// not survive. `tw::check` reports instead.
template <int... D>
void assert_(Token, const Tile<bool, D...>& condition, const char* message,
             Location where = Location::current()) {
  detail::Op(detail::Opcode::assert_, where)
      .operand(condition.ref())
      .set(detail::AttributeName::message, std::string(message))
      .give({});
}

/// Tile IR's own print, ordered by tokens. On a GPU the text goes to the driver's output and not to
/// the log sink. The format has one printf conversion for each tile.
template <class... Tiles>
OrderToken print(Token, FormatAt format, const OrderToken& after, const Tiles&... values) {
  const std::array<tw::detail::TileRef, sizeof...(Tiles)> refs{values.ref()...};
  return detail::Op(detail::Opcode::print_tko, format.where)
      .group(std::span<const detail::TileRef>(refs))
      .operand(after.ref())
      .set(detail::AttributeName::format, std::string(format.text))
      .template give<OrderToken>(detail::token());
}

}  // namespace tw::inline v0::unsafe
