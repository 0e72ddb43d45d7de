// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <tilewright/ir/type.hpp>

#include "interp/preparation.hpp"
#include "interp/tensor_view.hpp"

namespace tw::inline v0::interp {

/// How the tiles of a view lie on its tensor, axis by axis of the tile.
struct TilingAxis {
  std::int64_t extent;      ///< of the tile
  std::size_t tensor_axis;  ///< along which it runs
  std::int64_t step;        ///< from one tile's origin to the next, in elements
  bool sparse = false;      ///< coordinates are given one by one
};
std::vector<TilingAxis> tiling_of(const ir::Type& view);

/// The elements of a tensor that one load or store through a view names, cut to the tensor.
class Window {
 public:
  /// A run of elements along the innermost axis: `count` of them from tile position `tile`, in the
  /// tensor from element `first` by `stride`.
  struct Row {
    std::int64_t tile;
    std::int64_t first;
    std::int64_t stride;
    std::int64_t count;
  };

  Window(const Preparation& preparation, ir::Value view, std::span<const ir::Value> indices);

  /// Calls `inside(base, row)` for the elements in the tensor and `outside(tile, count)` for runs
  /// of tile positions that have none, each position once.
  template <class Inside, class Outside>
  void visit(const Frame& frame, Inside&& inside, Outside&& outside) const {
    const TensorView tensor(frame, view_, rank_);
    Extent extent;
    if (!locate(frame, tensor, extent)) return outside(std::int64_t{0}, elements_);
    walk(extent, 0, 0, extent.first, [&](const Row& row) { inside(tensor.base(), row); }, outside);
  }

 private:
  static constexpr std::size_t max_axes = 24;  ///< that are longer than one, by the size of tiles

  struct Index {
    TilingAxis tiling;
    Slot slot;
    std::size_t bytes;
  };
  struct Axis {
    std::int64_t extent;
    std::int64_t valid;        ///< positions inside the tensor; all of a sparse axis
    std::int64_t stride;       ///< in the tensor
    std::int64_t tile_stride;  ///< in the tile
    const std::byte* coordinates = nullptr;
    std::size_t coordinate_bytes = 0;
    std::uint64_t coordinate_bound = 0;
  };
  struct Extent {
    std::int64_t first = 0;
    std::size_t axes = 0;
    std::array<Axis, max_axes> axis;
  };

  bool locate(const Frame& frame, const TensorView& tensor, Extent& extent) const;
  static void merge_rows(Extent& extent);

  template <class Inside, class Outside>
  static void walk(const Extent& extent, std::size_t level, std::int64_t tile, std::int64_t first,
                   const Inside& inside, const Outside& outside) {
    const Axis& axis = extent.axis[level];
    const bool innermost = level + 1 == extent.axes;
    if (innermost && !axis.coordinates) {
      inside(Row{tile, first, axis.stride, axis.valid});
    } else {
      for (std::int64_t k = 0; k < axis.valid; ++k) {
        const std::int64_t position = tile + k * axis.tile_stride;
        std::int64_t coordinate = k;
        if (axis.coordinates && !find_coordinate(axis, k, coordinate)) {
          outside(position, axis.tile_stride);
        } else if (innermost) {
          inside(Row{position, first + coordinate * axis.stride, axis.stride, 1});
        } else {
          walk(extent, level + 1, position, first + coordinate * axis.stride, inside, outside);
        }
      }
    }
    if (axis.valid < axis.extent) {
      outside(tile + axis.valid * axis.tile_stride, (axis.extent - axis.valid) * axis.tile_stride);
    }
  }

  static bool find_coordinate(const Axis& axis, std::int64_t k, std::int64_t& coordinate);

  Slot view_;
  std::size_t rank_;
  std::int64_t elements_;
  std::vector<Index> indices_;
};

}  // namespace tw::inline v0::interp
