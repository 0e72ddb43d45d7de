// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

using enum Opcode;

bool is_made_by(const Type& view, Opcode code) {
  switch (code) {
    case make_partition_view:
      return view.is<PartitionViewType>();
    case make_strided_view:
      return view.is<StridedViewType>();
    default:
      return view.is<GatherScatterViewType>();
  }
}

bool make_view_c1(const OpContext& c) {
  const auto* tensor = c.operand(0).as<TensorViewType>();
  return (is_made_by(c.result(), c.op.code) && tensor != nullptr &&
          *tensor == viewed_tensor(c.result())) ||
         c.fail("make_view_c1", "{} gives {}", to_string(c.operand(0)), to_string(c.result()));
}

bool make_tensor_view_c1(const OpContext& c) {
  const auto* view = c.result().as<TensorViewType>();
  const TileType* base = pointer_tile(c.operand(0));
  return (view != nullptr && base != nullptr && base->shape.empty() &&
          base->kind() == view->element) ||
         c.fail("make_tensor_view_c1", "{} gives {}", to_string(c.operand(0)),
                to_string(c.result()));
}

bool make_tensor_view_c2(const OpContext& c) {
  const auto& view = *c.result().as<TensorViewType>();
  const auto count = [](const Shape& extents) {
    return static_cast<std::size_t>(std::ranges::count(extents, dynamic));
  };
  return (c.op.group(1).size() == count(view.shape) &&
          c.op.group(2).size() == count(view.strides)) ||
         c.fail("make_tensor_view_c2", "{} extents and {} strides are given for {}",
                c.op.group(1).size(), c.op.group(2).size(), to_string(c.result()));
}

/// Whether all values have one type, a tile of rank 0 of integers.
bool are_equal_integers(const OpContext& c, std::span<const Value> values) {
  return std::ranges::all_of(values, [&](Value each) {
    return is_integer_scalar(c.type(each)) && c.type(each) == c.type(values.front());
  });
}

bool make_tensor_view_c3(const OpContext& c) {
  return are_equal_integers(c, std::span(c.op.operands).subspan(1)) ||
         c.fail("make_tensor_view_c3", "extents and strides are not all one kind of integer");
}

bool make_tensor_view_c4(const OpContext& c) {
  const auto& base = std::get<PointerType>(c.operand(0).tile().element);
  return base.attribute == c.result().as<TensorViewType>()->attribute ||
         c.fail("make_tensor_view_c4", "{} gives {}", to_string(c.operand(0)),
                to_string(c.result()));
}

/// The number of axes of what the op asks about, if it can be asked.
std::optional<std::size_t> axis_count(const OpContext& c) {
  const Type& type = c.operand(0);
  if (c.op.code == get_index_space_shape) {
    return type.is_view() ? std::optional(view_tile(type).size()) : std::nullopt;
  }
  const auto* tensor = type.as<TensorViewType>();
  return tensor != nullptr ? std::optional(tensor->shape.size()) : std::nullopt;
}

bool axes_c1(const OpContext& c) {
  return axis_count(c).has_value() || c.fail("axes_c1", "it asks {}", to_string(c.operand(0)));
}

bool axes_c2(const OpContext& c) {
  return (c.op.results.size() == *axis_count(c) && are_equal_integers(c, c.op.results)) ||
         c.fail("axes_c2", "{} needs {} results of one kind of integer", to_string(c.operand(0)),
                *axis_count(c));
}

/// An access through a view, whichever way it goes.
struct Access {
  explicit Access(const OpContext& c) {
    switch (c.op.code) {
      case load_view_tko:
        view = c.op.group(0)[0];
        index = c.op.group(1);
        tile = c.op.result(0);
        break;
      case store_view_tko:
        tile = c.op.group(0)[0];
        view = c.op.group(1)[0];
        index = c.op.group(2);
        break;
      default:
        view = c.op.group(0)[0];
        index = c.op.group(1);
        tile = c.op.group(2)[0];
    }
  }

  Value view;
  Value tile;
  std::span<const Value> index;
};

bool view_access_c1(const OpContext& c, const Access& access) {
  const Type& view = c.type(access.view);
  return view.is_view() || c.fail("view_access_c1", "it goes through {}", to_string(view));
}

bool view_access_c2(const OpContext& c, const Access& access) {
  const std::size_t rank = view_tile(c.type(access.view)).size();
  return access.index.size() == rank ||
         c.fail("view_access_c2", "{} indices for {} axes", access.index.size(), rank);
}

bool view_access_c3(const OpContext& c, const Access& access) {
  const auto* sparse = c.type(access.view).as<GatherScatterViewType>();
  for (std::size_t axis = 0; axis < access.index.size(); ++axis) {
    const Type& type = c.type(access.index[axis]);
    const bool listed = sparse != nullptr && axis == static_cast<std::size_t>(sparse->sparse_dim);
    const Shape shape = listed ? Shape{sparse->tile[axis]} : Shape();
    const bool one_kind =
        sparse != nullptr || c.op.code == atomic_red_view_tko || type == c.type(access.index[0]);
    if (!is_tile_of(type, is_integer) || !has_shape(type, shape) || !one_kind)
      return c.fail("view_access_c3", "the index of axis {} is {}", axis, to_string(type));
  }
  return true;
}

bool view_access_c4(const OpContext& c, const Access& access) {
  const Type& view = c.type(access.view);
  const TileType* tile = number_tile(c.type(access.tile));
  return (tile != nullptr && tile->kind() == viewed_tensor(view).element &&
          tile->shape == view_tile(view)) ||
         c.fail("view_access_c4", "the view's tiles are {}, not {}", to_string(loaded_type(view)),
                to_string(c.type(access.tile)));
}

bool view_access_c5(const OpContext& c, const Access& access) {
  const std::size_t count = c.op.get<IntArray>(AttributeName::inbounds).size();
  const std::size_t indices = access.index.size();
  return count == indices || c.fail("view_access_c5", "{} booleans for {} indices", count, indices);
}

bool view_access(const OpContext& c) {
  const Access access(c);
  return view_access_c1(c, access) && view_access_c2(c, access) && view_access_c3(c, access) &&
         view_access_c4(c, access) && view_access_c5(c, access);
}

const OpChecks table[] = {
    {{make_gather_scatter_view, make_partition_view, make_strided_view}, {make_view_c1}},
    {{make_tensor_view},
     {make_tensor_view_c1, make_tensor_view_c2, make_tensor_view_c3, make_tensor_view_c4}},
    {{get_index_space_shape, get_tensor_shape}, {axes_c1, axes_c2}},
    {{atomic_red_view_tko, load_view_tko, store_view_tko}, {view_access}},
};

}  // namespace

std::span<const OpChecks> view_checks() { return table; }

}  // namespace tw::inline v0::ir
