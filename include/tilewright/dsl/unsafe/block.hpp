// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <tilewright/dsl/unsafe/op.hpp>

namespace tw::inline v0::unsafe {

/// The block's own coordinates in the launched grid: `auto [x, y, z] = unsafe::block_ids(token);`
///
/// Swizzled, persistent and dealt launches map them to boxes in ways of their own; `out.block()`
/// says which box a block owns.
[[nodiscard]] inline std::array<Int, 3> block_ids(Token, Location where = Location::current()) {
  return detail::Op(detail::Opcode::get_tile_block_id, where).give_ints<3>();
}
/// The extents of the launched grid.
[[nodiscard]] inline std::array<Int, 3> block_counts(Token, Location where = Location::current()) {
  return detail::Op(detail::Opcode::get_num_tile_blocks, where).give_ints<3>();
}

}  // namespace tw::inline v0::unsafe
