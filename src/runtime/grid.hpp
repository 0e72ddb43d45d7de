// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tilewright/runtime/argument.hpp>
#include <tilewright/runtime/hints.hpp>

namespace tw::inline v0::detail {

/// How many blocks a partition, or a Grid, has along each axis.
struct TILEWRIGHT_API BlockCounts {
  std::int64_t axes[max_rank] = {};
  int rank = 0;

  [[nodiscard]] std::int64_t product() const noexcept;
  /// Without the axes that have one block.
  [[nodiscard]] BlockCounts squeezed() const noexcept;
};

TILEWRIGHT_API bool operator==(const BlockCounts& a, const BlockCounts& b) noexcept;

/// "8x4", or "1" when nothing is cut.
TILEWRIGHT_API std::string to_string(const BlockCounts& counts);

/// The blocks of one tensor of an output, or of a Grid, whose `tensor` is null.
TILEWRIGHT_API BlockCounts block_counts(const HostArgument& argument, const TensorGeometry* tensor,
                                        const TensorGeometry* ids) noexcept;

/// The places that all outputs of a launch agree on: the axes, outermost first, that have more than
/// one block. A list has one axis with the places of all its tensors. What is dealt over the blocks
/// need not agree.
struct CommonGrid {
  BlockCounts counted;           ///< by Out, InOut and Grid
  std::int32_t counted_by = -1;  ///< position of the parameter that `counted` comes from
  std::int64_t dealt = 0;        ///< the most places of an Outs or InOuts
  bool deals = false;            ///< whether there is an Outs or InOuts
  bool list = false;             ///< the places of several tensors, one after the other
  int cut_axes = 0;              ///< the most axes that an output cuts into several blocks
};

/// Two outputs of a launch that cut it into different numbers of blocks.
struct GridConflict {
  std::size_t first;
  std::size_t second;
  BlockCounts first_counts;
  BlockCounts second_counts;
};

/// The common grid of a launch. Returns nothing and fills `conflict` when the outputs disagree.
[[nodiscard]] TILEWRIGHT_API bool find_common_grid(std::span<const HostArgument> arguments,
                                                   std::span<const TensorUse> tensors,
                                                   CommonGrid& grid, GridConflict& conflict);

/// How the places of a launch are laid on blocks of the device.
struct Schedule {
  std::array<std::uint32_t, 3> blocks = {1, 1, 1};  ///< x, y, z
  bool linear = false;
  bool persistent = false;
  std::int32_t swizzle = 0;
  /// What the kernel sees: extents of the common grid, for `AbiKind::common_grid`.
  BlockCounts grid;
};

/// No axis of a device's grid may be longer, and y and z still less.
inline constexpr std::int64_t max_blocks_per_axis = (std::int64_t{1} << 24) - 1;
inline constexpr std::int64_t max_blocks_along_yz = (std::int64_t{1} << 16) - 1;
/// Block numbers are 32-bit.
inline constexpr std::int64_t max_places = (std::int64_t{1} << 31) - 1;

/// Lays the places on blocks. `resident` is how many blocks the device holds at once.
TILEWRIGHT_API Schedule schedule(const CommonGrid& grid, const Hints& hints,
                                 std::int64_t resident) noexcept;

}  // namespace tw::inline v0::detail
