// SPDX-License-Identifier: Apache-2.0
#include "interp/window.hpp"

#include <algorithm>

#include "interp/storage.hpp"

namespace tw::inline v0::interp {

std::vector<TilingAxis> tiling_of(const ir::Type& view) {
  const Shape& tile = ir::view_tile(view);
  std::vector<TilingAxis> axes;
  for (std::size_t k = 0; k < tile.size(); ++k) axes.push_back({tile[k], k, tile[k]});
  const auto map = [&](const std::vector<std::int32_t>& dim_map) {
    for (std::size_t k = 0; k < axes.size(); ++k) {
      axes[k].tensor_axis = static_cast<std::size_t>(dim_map[k]);
    }
  };
  if (const auto* partition = view.as<ir::PartitionViewType>()) {
    map(partition->dim_map);
  } else if (const auto* strided = view.as<ir::StridedViewType>()) {
    map(strided->dim_map);
    for (std::size_t k = 0; k < axes.size(); ++k) axes[k].step = strided->traversal_strides[k];
  } else if (const auto* gather = view.as<ir::GatherScatterViewType>()) {
    TilingAxis& axis = axes[static_cast<std::size_t>(gather->sparse_dim)];
    axis.step = 1;
    axis.sparse = true;
  }
  return axes;
}

Window::Window(const Preparation& preparation, ir::Value view, std::span<const ir::Value> indices)
    : view_(preparation.slot(view)),
      rank_(indices.size()),
      elements_(product(ir::view_tile(preparation.type(view)))) {
  const std::vector<TilingAxis> tiling = tiling_of(preparation.type(view));
  for (std::size_t k = 0; k < rank_; ++k) {
    indices_.push_back(
        {tiling[k], preparation.slot(indices[k]), preparation.element_bytes(indices[k])});
  }
}

/// Cuts each axis to the tensor; false if nothing is left. Indices and coordinates are unsigned, so
/// that negative ones lie outside.
bool Window::locate(const Frame& frame, const TensorView& tensor, Extent& extent) const {
  std::int64_t tile_stride = elements_;
  for (const auto& [tiling, slot, bytes] : indices_) {
    const std::uint64_t bound = tensor.extent(tiling.tensor_axis);
    const std::int64_t stride = tensor.stride(tiling.tensor_axis);
    tile_stride /= tiling.extent;
    Axis axis{tiling.extent, tiling.extent, stride, tile_stride};
    if (tiling.sparse) {
      axis.coordinates = frame.at<const std::byte>(slot);
      axis.coordinate_bytes = bytes;
      axis.coordinate_bound = bound;
    } else {
      const auto step = static_cast<std::uint64_t>(tiling.step);
      const std::uint64_t index = read_bits(frame.at<const std::byte>(slot), bytes);
      if (bound == 0 || index > (bound - 1) / step) return false;
      const std::uint64_t origin = index * step;
      axis.valid = static_cast<std::int64_t>(
          std::min(static_cast<std::uint64_t>(tiling.extent), bound - origin));
      extent.first += static_cast<std::int64_t>(origin) * stride;
    }
    if (tiling.extent != 1 || tiling.sparse) extent.axis[extent.axes++] = axis;
  }
  if (extent.axes == 0) extent.axis[extent.axes++] = Axis{1, 1, 1, 1};
  merge_rows(extent);
  return true;
}

/// Joins the innermost axes where the tensor goes on in even steps from row to row.
void Window::merge_rows(Extent& extent) {
  while (extent.axes > 1) {
    const Axis& row = extent.axis[extent.axes - 1];
    Axis& outer = extent.axis[extent.axes - 2];
    if (row.coordinates || outer.coordinates || row.valid != row.extent ||
        outer.stride != row.stride * row.extent) {
      return;
    }
    outer = {outer.extent * row.extent, outer.valid * row.extent, row.stride, 1};
    --extent.axes;
  }
}

bool Window::find_coordinate(const Axis& axis, std::int64_t k, std::int64_t& coordinate) {
  const auto position = static_cast<std::size_t>(k) * axis.coordinate_bytes;
  const std::uint64_t bits = read_bits(axis.coordinates + position, axis.coordinate_bytes);
  coordinate = static_cast<std::int64_t>(bits);
  return bits < axis.coordinate_bound;
}

}  // namespace tw::inline v0::interp
