// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <tilewright/dsl/tile_ref.hpp>

/// The untyped half of the views: every access of the language to memory goes through these
/// functions, which raise its bounds obligations.
namespace tw::inline v0::detail {

/// A box of a tensor parameter, held by the trace: what a view sees or a block owns.
struct BoxRef {
  std::uint32_t index = 0;
  std::uint32_t trace = 0;
};
/// A box cut into tiles, held by the trace.
struct TilingRef {
  std::uint32_t index = 0;
  std::uint32_t trace = 0;
};
/// The place of the common grid that a block works at, held by the trace.
struct PlaceRef {
  std::uint32_t index = 0;
  std::uint32_t trace = 0;
};
/// A parameter of the kernel being traced.
struct ParameterRef {
  int position = 0;
  std::uint32_t trace = 0;
};

using Indices = std::span<const TileRef>;

// --- inputs and tilings

/// The extent of a visible axis, as an Int.
TILEWRIGHT_API TileRef extent(const BoxRef& box, int axis, Location where);
TILEWRIGHT_API BoxRef select(const BoxRef& box, std::span<const int> axes, Indices at,
                             Location where);
TILEWRIGHT_API BoxRef slice(const BoxRef& box, int axis, const TileRef& start,
                            const TileRef& extent, Location where);
TILEWRIGHT_API TileRef element_at(const BoxRef& box, Indices at, Location where);
TILEWRIGHT_API TilingRef tiling(const BoxRef& box, const Shape& tile, Location where);
TILEWRIGHT_API TilingRef padded(const TilingRef& tiling, Number padding, Location where);
/// The number of tiles along an axis, the last of which may be ragged.
TILEWRIGHT_API TileRef count(const TilingRef& tiling, int axis, Location where);
TILEWRIGHT_API TileRef load(const TilingRef& tiling, Indices at, const AccessHints& hints,
                            Location where);
TILEWRIGHT_API void store(const TilingRef& tiling, const TileRef& tile, Indices at,
                          const AccessHints& hints, Location where);
/// `at` holds the tile indices of the other axes, in order.
TILEWRIGHT_API TileRef gather(const TilingRef& tiling, int axis, const TileRef& ids, Indices at,
                              Location where);
/// The tile of `input` at the place and in the shape of what the block owns of `output`.
TILEWRIGHT_API TileRef load_like(const BoxRef& input, const BoxRef& output, const Number* padding,
                                 const AccessHints& hints, Location where);

// --- what a block owns

TILEWRIGHT_API int tile_extent(const BoxRef& box, int axis, Location where);
TILEWRIGHT_API TileRef block(const BoxRef& box, int axis, Location where);
TILEWRIGHT_API TileRef group(const BoxRef& box, Location where);
TILEWRIGHT_API TileRef index(const BoxRef& box, int axis, Location where);
TILEWRIGHT_API BoxRef squeeze(const BoxRef& box, std::span<const int> axes, Location where);
TILEWRIGHT_API void store_own(const BoxRef& box, const TileRef& tile, const AccessHints& hints,
                              Location where);
TILEWRIGHT_API TileRef load_own(const BoxRef& box, const AccessHints& hints, Location where);

// --- memory that all blocks share

enum class AtomicOp : std::uint8_t { add, min, max, and_, or_, xor_, exchange };
enum class MemoryOrder : std::uint8_t { relaxed, acquire, release, acq_rel };
enum class Scope : std::uint8_t { device, system };

/// The elements that an atomic access names: by ids along the only axis, or by a tile of a tiling.
struct AtomicTarget {
  const BoxRef* box = nullptr;
  const TileRef* ids = nullptr;
  const TilingRef* tiling = nullptr;
  Indices at = {};
  const TileRef* mask = nullptr;
};

TILEWRIGHT_API TileRef atomic_update(AtomicOp op, const AtomicTarget& target, const TileRef& value,
                                     MemoryOrder order, Scope scope, Location where);
TILEWRIGHT_API TileRef atomic_compare_exchange(const AtomicTarget& target, const TileRef& expected,
                                               const TileRef& value, MemoryOrder order, Scope scope,
                                               Location where);
TILEWRIGHT_API TileRef atomic_load(const AtomicTarget& target, MemoryOrder order, Scope scope,
                                   Location where);
TILEWRIGHT_API void atomic_store(const AtomicTarget& target, const TileRef& value,
                                 MemoryOrder order, Scope scope, Location where);

// --- parameters of the kernel being traced

TILEWRIGHT_API bool is_present(int parameter);
TILEWRIGHT_API BoxRef input(int parameter);
TILEWRIGHT_API BoxRef list_element(const ParameterRef& parameter, const TileRef& which,
                                   Location where);
TILEWRIGHT_API TileRef list_size(const ParameterRef& parameter, Location where);
TILEWRIGHT_API BoxRef owned(int parameter, const PlaceRef& place);
TILEWRIGHT_API TileRef scalar(int parameter);
TILEWRIGHT_API TileRef grid_block(const ParameterRef& parameter, int axis, const PlaceRef& place,
                                  Location where);
TILEWRIGHT_API TileRef grid_extent(const ParameterRef& parameter, int axis, Location where);

/// Dealt partitions: the bounds of this block's walk over the places, and the place of one step.
struct Deal {
  TileRef first;
  TileRef places;
  TileRef step;
};
TILEWRIGHT_API Deal deal(std::span<const ParameterRef> parameters, Location where);
TILEWRIGHT_API BoxRef dealt(const ParameterRef& parameter, const TileRef& place, Location where);
TILEWRIGHT_API int dealt_extent(const ParameterRef& parameter, int axis, Location where);

}  // namespace tw::inline v0::detail
