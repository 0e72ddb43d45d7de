// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>

#include <tilewright/core/dtype.hpp>
#include <tilewright/ir/type.hpp>

namespace tw::inline v0::passes {

/// The bits of a tile's integer elements; 0 for every other type.
inline std::uint8_t integer_width(const ir::Type& type) {
  const auto* tile = type.as<ir::TileType>();
  if (!tile || tile->holds_pointers()) return 0;
  const ElementKindInfo& row = info(tile->kind());
  return row.is_float() ? 0 : row.bits;
}

/// The low `width` bits.
constexpr std::uint64_t masked(std::uint64_t bits, std::uint8_t width) noexcept {
  return bits & (~std::uint64_t{0} >> (64 - width));
}

/// The low `width` bits as a signed number; of one bit, as 0 or 1.
constexpr std::int64_t as_signed(std::uint64_t bits, std::uint8_t width) noexcept {
  if (width == 1) return static_cast<std::int64_t>(bits & 1);
  const int unused = 64 - width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace tw::inline v0::passes
