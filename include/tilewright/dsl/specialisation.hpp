// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tilewright/core/dtype.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/shape.hpp>
#include <tilewright/ir/kernel.hpp>

namespace tw::inline v0 {

/// What a parameter of a kernel is.
enum class ParameterKind : std::uint8_t {
  in,        ///< shared, read only
  out,       ///< this block's own box
  in_out,    ///< the same, and may be loaded
  outs,      ///< boxes dealt over the blocks
  in_outs,   ///< the same, and may be loaded
  atomic,    ///< shared, atomic accesses only
  grid,      ///< counts the blocks where no output does
  scalar,    ///< a run-time number
  constant,  ///< a plain C++ value: part of the specialisation
};

/// Whether the argument of such a parameter is a partition.
[[nodiscard]] constexpr bool takes_partition(ParameterKind kind) noexcept {
  return kind == ParameterKind::out || kind == ParameterKind::in_out ||
         kind == ParameterKind::outs || kind == ParameterKind::in_outs;
}

/// How a partition divides one axis.
enum class CutKind : std::uint8_t {
  tile,   ///< into pieces of `Cut::size` elements, one a block
  all,    ///< not at all: the full axis is one tile, its extent a constant of the specialisation
  whole,  ///< not at all: the block owns the axis and streams it in smaller tiles
};
struct Cut {
  CutKind kind = CutKind::tile;
  std::int64_t size = 0;  ///< elements of one piece; the axis's extent for `all`; 0 for `whole`
  bool operator==(const Cut&) const = default;
};

/// What the specialisation may rely on along one axis of a tensor.
struct AxisFacts {
  std::uint8_t extent_divisor_log2 = 0;  ///< the extent is a multiple of 2^this, at most 2^4
  std::uint8_t stride_divisor_log2 =
      0;                     ///< the stride *in bytes* is a multiple of 2^this, at most 2^7
  bool unit_stride = false;  ///< stride of one element
  bool operator==(const AxisFacts&) const = default;
};

/// Whose rows a row-listed output names.
enum class RowList : std::uint8_t {
  none,
  plain,      ///< any ids: stores are relaxed at device scope
  certified,  ///< proved distinct: plain stores
};

/// All that one argument contributes to a specialisation.
struct ParameterFacts {
  ParameterKind kind = ParameterKind::in;
  DType dtype = DType::f32;
  std::int8_t rank = 0;
  bool present = true;               ///< false: an optional parameter that was not given
  bool list = false;                 ///< a list of tensors, reached through a table
  RowList rows = RowList::none;      ///< of axis 0
  std::array<Cut, max_rank> cuts{};  ///< of an output, or the extents of a Grid
  /// Axes along which the common grid has one block only, as bits.
  std::uint8_t single_block_axes = 0;
  std::uint8_t alignment_log2 = 0;  ///< the base address is a multiple of 2^this bytes, at most 2^7
  std::array<AxisFacts, max_rank> axes{};
  bool operator==(const ParameterFacts&) const = default;
};

/// How much of the bounds checking is left to the device.
enum class CheckMode : std::uint8_t {
  automatic,      ///< fold what is proved, check the rest at launch or on the device
  all_on_device,  ///< for differential tests: nothing is discharged
};

/// Everything that a kernel's code may depend on besides its constants: the input of a trace.
struct Specialisation {
  std::string kernel;  ///< for messages and profilers, never for keys
  std::vector<ParameterFacts> parameters;
  bool wide_index = false;  ///< extents, strides and addresses in 64 bits
  /// Axes of the common grid: those cut axes of the outputs that have more than one block.
  std::int8_t grid_rank = 0;
  /// The blocks carry one linear number along x instead of coordinates along x, y, z.
  bool linear_grid = false;
  std::int32_t swizzle = 0;  ///< rows of blocks in a group; 0: row-major order
  bool persistent = false;   ///< fewer blocks than places: each block takes every n-th place
  CheckMode checks = CheckMode::automatic;
  ir::HintSet hints;  ///< entry hints: occupancy, num_cta_in_cga, num_worker_warps_per_cta
  bool operator==(const Specialisation&) const = default;
};

/// The arguments that the entry of a kernel with this specialisation takes, in order, without the
/// fault block (which is added when checks remain).
///
/// For each tensor: its base, the extents that are not constants of the specialisation, the strides
/// that are not one. Row-listed outputs add the ids and their number; lists the table and its
/// length. The common grid's extents follow when the grid is linear.
TILEWRIGHT_API std::vector<ir::AbiSlot> abi_of(const Specialisation& specialisation);

}  // namespace tw::inline v0
