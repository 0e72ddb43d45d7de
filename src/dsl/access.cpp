// SPDX-License-Identifier: Apache-2.0
#include "dsl/access.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <tilewright/core/float_conversion.hpp>

namespace tw::inline v0::detail {
namespace {

using ir::AttributeName;
using ir::Opcode;

std::int64_t stored(std::int64_t extent) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
}

/// The padding of a view that reads as these bits, if there is one. The largest number of a format
/// is no infinity, although infinities convert to it.
std::optional<ir::Padding> native_padding(std::uint64_t bits, DType dtype) {
  if (bits == 0) return ir::Padding::zero;
  if (!is_float(dtype)) return std::nullopt;
  const ElementKind kind = element_kind(dtype);
  const double number = numeric::decode(bits, kind);
  if (number == 0) return ir::Padding::neg_zero;
  if (std::isinf(number)) return number > 0 ? ir::Padding::pos_inf : ir::Padding::neg_inf;
  const bool is_default_nan =
      std::isnan(number) && bits == numeric::encode(std::numeric_limits<double>::quiet_NaN(), kind);
  return is_default_nan ? std::optional(ir::Padding::nan) : std::nullopt;
}

}  // namespace

Shape stored_extents(const std::vector<TileIndex>& at) {
  Shape shape;
  for (const TileIndex& index : at) shape.push_back(stored(index.extent));
  return shape;
}

ir::Hints ir_hints(Trace& trace, const AccessHints& hints, Location where) {
  ir::HintSet set;
  if (hints.latency < 0 || hints.latency > 10) {
    trace.error(fmt::format("the hint latency is 1 to 10, not {}", hints.latency), where);
  }
  if (hints.latency != 0) set["latency"] = std::int64_t{hints.latency};
  if (!hints.allow_tma) set["allow_tma"] = false;
  if (set.empty()) return {};
  return {{"default", std::move(set)}};
}

// --- obligations

void Access::require(const TileIndex& at, int visible_axis) {
  if (!at.bound) return;
  const ir::Value index = boxes_.to_index(at.index, where_);
  const ir::Value holds = scalars().inside(index, at.bound);
  boxes_.trace().check_bounds({.kind = kind_,
                               .parameter = box_.parameter,
                               .axis = box_.visible[static_cast<std::size_t>(visible_axis)],
                               .silent = at.outside == Outside::ignore},
                              holds, index, at.bound, where_);
  also(holds);
}

ir::Value Access::require_ids(ir::Value ids, ir::Value bound, ir::Value mask, bool none_allowed,
                              Outside outside, int axis) {
  ir::Builder& builder = boxes_.trace().at(where_);
  const Shape shape = builder.type(ids).tile().shape;
  const ElementKind kind = builder.type(ids).tile().kind();
  const ir::Value limit = builder.spread(bound, shape);
  const ir::Value inside = scalars().inside(ids, limit);
  const ir::Value touched = scalars().both(inside, mask);
  if (outside == Outside::ignore) return touched;

  ir::Value allowed = inside;
  auto excuse = [&](ir::Value condition) { allowed = scalars().either(allowed, condition); };
  auto equals = [&](ir::Value other) {
    return builder.compare_int(ir::ComparisonPredicate::equal, ids, other, ir::Signedness::signed_);
  };
  if (none_allowed) {
    const auto bits = info(kind).bits;
    const std::uint64_t minus_one = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    excuse(equals(builder.constant(kind, minus_one, shape)));
    excuse(equals(limit));
  }
  if (mask) {
    const ir::Value yes = builder.constant(ElementKind::i1, 1, shape);
    excuse(builder.simple(Opcode::xori, builder.type(mask), {mask, yes}));
  }
  boxes_.trace().check_bounds({.kind = kind_, .parameter = box_.parameter, .axis = axis}, allowed,
                              ids, bound, where_);
  return touched;
}

// --- guards

void Access::yield(ir::Value value) {
  ir::Builder& builder = boxes_.trace().at(where_);
  ir::OpDraft draft(Opcode::yield, builder.location());
  if (value) {
    draft.group({value});
  } else {
    draft.group(std::span<const ir::Value>{});
  }
  builder.append(draft, {});
}

ir::Value Access::branch(ir::Block then, ir::Block otherwise, const ir::Type* type) {
  ir::Builder& builder = boxes_.trace().at(where_);
  ir::OpDraft draft(Opcode::if_, builder.location());
  draft.operand(guard_).region(std::move(then)).region(std::move(otherwise));
  if (type != nullptr) return builder.append(draft, {*type});
  builder.append(draft, {});
  return {};
}

// --- tiled views

ir::Value Access::tensor_view() {
  ir::Builder& builder = boxes_.trace().at(where_);
  ir::TensorViewType type{.element = element_kind(box_.dtype), .shape = {}, .strides = {}};
  std::vector<ir::Value> extents;
  std::vector<ir::Value> strides;
  for (const BoxAxis& axis : box_.axes) {
    const bool known = axis.known_extent && *axis.known_extent > 0;
    type.shape.push_back(known ? *axis.known_extent : ir::dynamic);
    if (!known) extents.push_back(axis.extent);
    type.strides.push_back(axis.stride ? ir::dynamic : 1);
    if (axis.stride) strides.push_back(axis.stride);
  }
  return builder.tensor_view(box_.base, type, extents, strides);
}

void Access::require_whole_bytes(const std::vector<TileIndex>& at) {
  if (!shares_bytes(box_.dtype)) return;
  const auto last = static_cast<int>(box_.axes.size()) - 1;
  const bool sees_last = !box_.visible.empty() && box_.visible.back() == last;
  if (sees_last && at.back().extent % 2 == 0) return;
  boxes_.trace().error(
      fmt::format("two elements of {} share a byte: a tile spans an even number of them along the "
                  "last axis, not {}",
                  info(box_.dtype).name, sees_last ? at.back().extent : 1),
      where_);
}

Access::View Access::view(const std::vector<TileIndex>& at, std::optional<ir::Padding> padding) {
  const std::size_t rank = box_.axes.size();
  View view;
  view.shape = Shape::filled(rank, 1);
  std::vector<std::int32_t> steps(rank, 1);
  bool overlapping = false;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const ir::Value fixed = box_.axes[axis].fixed;
    view.index.push_back(fixed ? boxes_.to_index(fixed, where_) : fixed);
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto axis = static_cast<std::size_t>(box_.visible[i]);
    view.index[axis] = boxes_.to_index(at[i].index, where_);
    view.shape[axis] = stored(at[i].extent);
    steps[axis] = static_cast<std::int32_t>(at[i].extent);
    overlapping |= view.shape[axis] != at[i].extent;
  }
  ir::Builder& builder = boxes_.trace().at(where_);
  const ir::Value tensor = tensor_view();
  const ir::TensorViewType tensor_type = *builder.type(tensor).as<ir::TensorViewType>();
  std::vector<std::int32_t> order(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) order[axis] = static_cast<std::int32_t>(axis);
  view.value =
      overlapping
          ? builder.view(
                Opcode::make_strided_view, tensor,
                ir::Type(ir::StridedViewType{view.shape, steps, tensor_type, order, padding}))
          : builder.view(Opcode::make_partition_view, tensor,
                         ir::Type(ir::PartitionViewType{view.shape, tensor_type, order, padding}));
  return view;
}

ir::Value Access::load_tile(const std::vector<TileIndex>& at, std::optional<std::uint64_t> padding,
                            const AccessHints& hints) {
  require_whole_bytes(at);
  for (std::size_t i = 0; i < at.size(); ++i) require(at[i], static_cast<int>(i));
  const Shape shape = stored_extents(at);
  const std::uint64_t outside = padding.value_or(0);
  const std::optional<ir::Padding> native = native_padding(outside, box_.dtype);
  return guarded(ir::tile_type(element_kind(box_.dtype), shape), outside, [&] {
    ir::Builder& builder = boxes_.trace().at(where_);
    if (reaches_neighbours(at, shape)) {
      const MaskedElements own = elements_of(at, shape);
      const ir::Value fallback = builder.constant(element_kind(box_.dtype), outside, shape);
      return builder.load_pointer(pointers(own.elements, shape), own.mask, fallback,
                                  ir::MemoryOrdering::weak, ir::MemoryScope::device);
    }
    const View source = view(at, native ? native : ir::Padding::zero);
    const ir::Value whole =
        builder.load_view(source.value, source.index, ir_hints(boxes_.trace(), hints, where_));
    const ir::Value tile = builder.reshape(whole, shape);
    return native ? tile : replace_outside(tile, at, shape, outside);
  });
}

// Lanes beyond the user's extent hold anything, but where blocks write side by side they may not
// even be loaded: the block next door may be writing there.
bool Access::reaches_neighbours(const std::vector<TileIndex>& at, const Shape& shape) const {
  if (!box_.is_owned) return false;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Cut& cut = box_.cuts[static_cast<std::size_t>(box_.visible[i])];
    if (cut.kind == CutKind::tile && shape[i] != at[i].extent) return true;
  }
  return false;
}

Access::MaskedElements Access::elements_of(const std::vector<TileIndex>& at, const Shape& shape) {
  MaskedElements result;
  for (const BoxAxis& seen : box_.axes) {
    result.elements.push_back({seen.fixed ? boxes_.to_index(seen.fixed, where_) : ir::Value{}});
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    const int visible = static_cast<int>(i);
    const Elements along = run(at[i].index, at[i].extent, shape[i], visible);
    result.elements[static_cast<std::size_t>(box_.visible[i])] = along;
    result.mask = scalars().both(result.mask, lanes(along, at[i].extent, shape, visible));
  }
  return result;
}

ir::Value Access::replace_outside(ir::Value tile, const std::vector<TileIndex>& at,
                                  const Shape& shape, std::uint64_t padding) {
  ir::Value inside;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const int axis = static_cast<int>(i);
    const Elements elements = run(at[i].index, at[i].extent, shape[i], axis);
    inside = scalars().both(inside, lanes(elements, at[i].extent, shape, axis));
  }
  ir::Builder& builder = boxes_.trace().at(where_);
  return builder.select(inside, tile, builder.constant(element_kind(box_.dtype), padding, shape));
}

void Access::store_tile(ir::Value tile, const std::vector<TileIndex>& at,
                        const AccessHints& hints) {
  require_whole_bytes(at);
  for (std::size_t i = 0; i < at.size(); ++i) require(at[i], static_cast<int>(i));
  const Shape shape = stored_extents(at);
  // Lanes beyond the user's extent hold anything. Where the tensor does not end there, they must
  // not be written: the store goes element by element under a mask.
  bool ends_at_edge = true;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const BoxAxis& seen = axis(static_cast<int>(i));
    ends_at_edge &= shape[i] == at[i].extent || seen.known_extent == at[i].extent;
  }
  guarded([&] {
    ir::Builder& builder = boxes_.trace().at(where_);
    if (ends_at_edge) {
      const View target = view(at, std::nullopt);
      builder.store_view(builder.reshape(tile, target.shape), target.value, target.index,
                         ir_hints(boxes_.trace(), hints, where_));
      return;
    }
    const MaskedElements own = elements_of(at, shape);
    builder.store_pointer(pointers(own.elements, shape), tile, own.mask, ir::MemoryOrdering::weak,
                          ir::MemoryScope::device);
  });
}

// --- element by element

Elements Access::run(ir::Value index, std::int64_t step, std::int64_t count, int visible_axis) {
  ir::Builder& builder = boxes_.trace().at(where_);
  const ElementKind kind = boxes_.index_kind();
  const ir::Value first =
      scalars().multiply(boxes_.to_index(index, where_), scalars().number(kind, step));
  const Shape line{count};
  const ir::Value lane = builder.simple(Opcode::iota, ir::tile_type(kind, line), {});
  return {scalars().add(builder.spread(first, line), lane), visible_axis};
}

ir::Value Access::spread(ir::Value lane, const Shape& shape, int visible_axis) {
  ir::Builder& builder = boxes_.trace().at(where_);
  Shape line = Shape::filled(shape.size(), 1);
  line[static_cast<std::size_t>(visible_axis)] = shape[static_cast<std::size_t>(visible_axis)];
  return builder.broadcast(builder.reshape(lane, line), shape);
}

ir::Value Access::lanes(const Elements& elements, std::int64_t extent, const Shape& shape,
                        int visible_axis) {
  ir::Builder& builder = boxes_.trace().at(where_);
  const Shape line = builder.type(elements.ids).tile().shape;
  ir::Value inside = scalars().less(elements.ids, builder.spread(axis(visible_axis).extent, line));
  if (line.front() != extent) {
    const ir::Value lane = builder.simple(Opcode::iota, ir::tile_type(ElementKind::i32, line), {});
    const ir::Value limit =
        builder.constant(ElementKind::i32, static_cast<std::uint64_t>(extent), line);
    inside = scalars().both(inside, scalars().less(lane, limit));
  }
  return spread(inside, shape, visible_axis);
}

ir::Value Access::pointers(const std::vector<Elements>& elements, const Shape& shape) {
  if (shares_bytes(box_.dtype)) {
    boxes_.trace().error(
        fmt::format(
            "two elements of {} share a byte: none is touched alone, as listed rows and "
            "tiles that are no power of two would; use the bytes as uint8_t and unpack them",
            info(box_.dtype).name),
        where_);
  }
  ir::Builder& builder = boxes_.trace().at(where_);
  const ElementKind kind = boxes_.index_kind();
  ir::Value offset;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    ir::Value along = elements[i].ids;
    if (const ir::Value stride = box_.axes[i].stride) {
      along = scalars().multiply(along, builder.spread(stride, builder.type(along).tile().shape));
    }
    const bool is_line = elements[i].along >= 0;
    const ir::Value full =
        is_line && builder.type(along).tile().shape.size() == 1 && shape.size() > 1
            ? spread(along, shape, elements[i].along)
        : is_line ? along
                  : builder.spread(along, shape);
    offset = offset ? scalars().add(offset, full) : full;
  }
  if (!offset) offset = builder.constant(kind, 0, shape);
  const ir::Value base = builder.spread(box_.base, shape);
  return builder.simple(Opcode::offset, builder.type(base), {base, offset});
}

ir::Value Access::load_elements(const std::vector<Elements>& elements, const Shape& shape,
                                ir::Value mask, std::uint64_t padding, Order order) {
  return guarded(ir::tile_type(element_kind(box_.dtype), shape), padding, [&] {
    ir::Builder& builder = boxes_.trace().at(where_);
    const ir::Value fallback =
        mask ? builder.constant(element_kind(box_.dtype), padding, shape) : ir::Value{};
    return builder.load_pointer(pointers(elements, shape), mask, fallback, order.ordering,
                                order.scope);
  });
}

void Access::store_elements(ir::Value tile, const std::vector<Elements>& elements,
                            const Shape& shape, ir::Value mask, Order order) {
  guarded([&] {
    boxes_.trace().at(where_).store_pointer(pointers(elements, shape), tile, mask, order.ordering,
                                            order.scope);
  });
}

ir::Value Access::update_elements(ir::AtomicMode mode, ir::Value operand,
                                  const std::vector<Elements>& elements, const Shape& shape,
                                  ir::Value mask, Order order) {
  return guarded(ir::tile_type(element_kind(box_.dtype), shape), 0, [&] {
    const ir::Value addresses = pointers(elements, shape);
    ir::OpDraft draft(Opcode::atomic_rmw_tko);
    draft.operand(addresses).operand(operand).set(AttributeName::mode, mode);
    return atomic(draft, mask, shape, order);
  });
}

ir::Value Access::exchange_elements(ir::Value expected, ir::Value operand,
                                    const std::vector<Elements>& elements, const Shape& shape,
                                    ir::Value mask, Order order) {
  return guarded(ir::tile_type(element_kind(box_.dtype), shape), 0, [&] {
    const ir::Value addresses = pointers(elements, shape);
    ir::OpDraft draft(Opcode::atomic_cas_tko);
    draft.operand(addresses).operand(expected).operand(operand);
    return atomic(draft, mask, shape, order);
  });
}

ir::Value Access::atomic(ir::OpDraft& draft, ir::Value mask, const Shape& shape, Order order) {
  ir::Builder& builder = boxes_.trace().at(where_);
  const ElementKind kind = element_kind(box_.dtype);
  draft.optional(mask)
      .set(AttributeName::memory_ordering, order.ordering)
      .set(AttributeName::memory_scope, order.scope);
  const ir::Value old = builder.append(draft, {ir::tile_type(kind, shape), ir::token_type()});
  return mask ? builder.select(mask, old, builder.constant(kind, 0, shape)) : old;
}

// --- tables of the launch

ir::Value load_table(ir::Builder& builder, ir::Value pointers, ir::Value inside,
                     std::uint64_t fallback) {
  const ir::TileType& words = builder.type(pointers).tile();
  return builder.load_pointer(pointers, inside,
                              builder.constant(words.kind(), fallback, words.shape));
}

}  // namespace tw::inline v0::detail
