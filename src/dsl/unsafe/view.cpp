// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <numeric>

#include <tilewright/dsl/unsafe/view.hpp>

#include "dsl/box.hpp"

namespace tw::inline v0::unsafe::detail {

using tw::detail::Box;
using tw::detail::BoxAxis;
using tw::detail::Boxes;
using tw::detail::BoxRef;

namespace {

/// What the type of a view says of them; `dynamic` where only the device knows.
Shape known(Integers integers) {
  Shape shape;
  for (const Integer& each : integers) shape.push_back(each.known().value_or(ir::dynamic));
  return shape;
}

std::vector<Integer> unknown(Integers integers) {
  std::vector<Integer> rest;
  std::ranges::copy_if(integers, std::back_inserter(rest),
                       [](const Integer& each) { return !each.known(); });
  return rest;
}

}  // namespace

TileRef tensor_view(const TileRef& base, Integers extents, Integers strides, Location where) {
  const bool wide = std::ranges::any_of(extents, &Integer::is_wide) ||
                    std::ranges::any_of(strides, &Integer::is_wide);
  const ir::TensorViewType type{element_kind(base.dtype), known(extents), known(strides)};
  return Op(Opcode::make_tensor_view, where)
      .operand(base)
      .group(unknown(extents), wide)
      .group(unknown(strides), wide)
      .give({Result{ir::Type(type), base.dtype}})
      .front();
}

TileRef tensor_view(const BoxRef& ref, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box box = boxes.box(ref, where);
  std::vector<Integer> extents;
  std::vector<Integer> strides;
  const auto add = [&](std::vector<Integer>& list, ir::Value value) {
    list.emplace_back(Trusted{boxes.as_index(value, where)});
  };
  for (const int visible : box.visible) {
    const BoxAxis& axis = box.axes[static_cast<std::size_t>(visible)];
    if (axis.known_extent.value_or(0) > 0) {
      extents.emplace_back(*axis.known_extent);
    } else {
      add(extents, axis.extent);
    }
    if (axis.stride) {
      add(strides, axis.stride);
    } else {
      strides.emplace_back(1);
    }
  }
  return tensor_view(base(ref, where), extents, strides, where);
}

namespace {

ir::Type tile_view_type(Opcode code, const ir::TensorViewType& tensor,
                        const TileViewOptions& options) {
  Shape tile;
  for (const int extent : options.tile) tile.push_back(extent);
  std::vector<std::int32_t> order(options.dim_map.begin(), options.dim_map.end());
  switch (code) {
    case Opcode::make_gather_scatter_view:
      return ir::Type(
          ir::GatherScatterViewType{tile, tensor, options.sparse_axis, options.padding});
    case Opcode::make_strided_view:
      return ir::Type(
          ir::StridedViewType{tile,
                              {options.traversal_strides.begin(), options.traversal_strides.end()},
                              tensor,
                              order,
                              options.padding});
    default:
      return ir::Type(ir::PartitionViewType{tile, tensor, order, options.padding});
  }
}

}  // namespace

TileRef tile_view(Opcode code, const TileRef& tensor, const TileViewOptions& options,
                  Location where) {
  Op op(code, where);
  const auto& viewed = *op.like(tensor).type.as<ir::TensorViewType>();
  return op.operand(tensor)
      .give({Result{tile_view_type(code, viewed, options), tensor.dtype}})
      .front();
}

}  // namespace tw::inline v0::unsafe::detail
