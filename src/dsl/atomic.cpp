// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "dsl/access.hpp"

namespace tw::inline v0::detail {
namespace {

ir::MemoryOrdering ordering(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::relaxed:
      return ir::MemoryOrdering::relaxed;
    case MemoryOrder::acquire:
      return ir::MemoryOrdering::acquire;
    case MemoryOrder::release:
      return ir::MemoryOrdering::release;
    case MemoryOrder::acq_rel:
      return ir::MemoryOrdering::acq_rel;
  }
  return ir::MemoryOrdering::relaxed;
}

ir::MemoryScope memory_scope(Scope scope) {
  return scope == Scope::system ? ir::MemoryScope::sys : ir::MemoryScope::device;
}

ir::AtomicMode mode(AtomicOp op, DType dtype) {
  const bool is_signed = info(dtype).is_signed;
  switch (op) {
    case AtomicOp::add:
      return is_float(dtype) ? ir::AtomicMode::addf : ir::AtomicMode::add;
    case AtomicOp::min:
      return is_signed ? ir::AtomicMode::min : ir::AtomicMode::umin;
    case AtomicOp::max:
      return is_signed ? ir::AtomicMode::max : ir::AtomicMode::umax;
    case AtomicOp::and_:
      return ir::AtomicMode::and_;
    case AtomicOp::or_:
      return ir::AtomicMode::or_;
    case AtomicOp::xor_:
      return ir::AtomicMode::xor_;
    case AtomicOp::exchange:
      return ir::AtomicMode::xchg;
  }
  return ir::AtomicMode::xchg;
}

/// One atomic access: which elements, and under which mask and guard.
class Target {
 public:
  Target(const AtomicTarget& target, Location where)
      : boxes_(Boxes::current(where)),
        box_(target.tiling != nullptr ? boxes_.box_of(boxes_.tiling(*target.tiling, where))
                                      : boxes_.box(*target.box, where)),
        access_(boxes_, box_, "atomic", where),
        where_(where) {
    if (target.tiling != nullptr) {
      name_tile(boxes_.tiling(*target.tiling, where).tile, target.at);
    } else {
      name_ids(*target.ids, target.mask);
    }
  }

  [[nodiscard]] Trace& trace() { return boxes_.trace(); }
  [[nodiscard]] DType dtype() const { return box_.dtype; }

  TileRef update(ir::AtomicMode mode, const TileRef& value, Order order) {
    return result(access_.update_elements(mode, operand(value), elements_, stored_shape(shape_),
                                          mask_, order));
  }
  TileRef exchange(const TileRef& expected, const TileRef& value, Order order) {
    const ir::Value compared = operand(expected);
    return result(access_.exchange_elements(compared, operand(value), elements_,
                                            stored_shape(shape_), mask_, order));
  }
  TileRef load(Order order) {
    return result(access_.load_elements(elements_, stored_shape(shape_), mask_, 0, order));
  }
  void store(const TileRef& value, Order order) {
    access_.store_elements(operand(value), elements_, stored_shape(shape_), mask_, order);
  }

 private:
  /// An operand stretched to the shape of the access.
  ir::Value operand(const TileRef& value) {
    return stretched(value, "tile", element_kind(box_.dtype));
  }

  TileRef result(ir::Value value) { return trace().make(value, box_.dtype, shape_, where_); }

  void name_ids(const TileRef& ids, const TileRef* mask) {
    shape_ = ids.shape;
    const ir::Value named = boxes_.to_index(trace().use(ids, where_), where_);
    ir::Value asked;
    if (mask != nullptr) asked = stretched(*mask, "mask", ElementKind::i1);
    if (!is_stored(shape_)) asked = access_.scalars().both(asked, inside_user_extents());
    mask_ = access_.require_ids(named, box_.axes.front().extent, asked, true, Outside::fault, 0);
    elements_.push_back({named, shape_.empty() ? -1 : 0});
  }

  ir::Value stretched(const TileRef& value, std::string_view what, ElementKind kind) {
    const std::optional<Shape> joined = broadcast_shape(value.shape, shape_);
    if (joined && *joined == shape_) return ir::Value{broadcast(value, shape_, where_).value};
    trace().error(fmt::format("an atomic access of shape {} takes no {} of shape {}",
                              to_string(shape_), what, to_string(value.shape)),
                  where_);
    return trace().at(where_).constant(kind, 0, stored_shape(shape_));
  }

  ir::Value inside_user_extents() {
    TileRef all = filled(1, DType::boolean, shape_, where_);
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      all = trace().make(masked(trace(), all, axis, 0, where_), DType::boolean, shape_, where_);
    }
    return ir::Value{all.value};
  }

  void name_tile(const Shape& tile, Indices at) {
    shape_ = tile;
    const Shape stored = stored_shape(tile);
    for (std::size_t i = 0; i < tile.size(); ++i) {
      const int visible = static_cast<int>(i);
      const ir::Value index = trace().use(at[i], where_);
      const ir::Value bound = access_.scalars().ceil_divide(box_.axes[i].extent, tile[i]);
      access_.require({.index = index, .extent = tile[i], .bound = bound}, visible);
      elements_.push_back(access_.run(index, tile[i], stored[i], visible));
      mask_ =
          access_.scalars().both(mask_, access_.lanes(elements_.back(), tile[i], stored, visible));
    }
  }

  Boxes& boxes_;
  Box box_;
  Access access_;
  Location where_;
  Shape shape_;
  std::vector<Elements> elements_;
  ir::Value mask_;
};

Order order_of(MemoryOrder order, Scope scope) { return {ordering(order), memory_scope(scope)}; }

}  // namespace

TileRef atomic_update(AtomicOp op, const AtomicTarget& at, const TileRef& value, MemoryOrder order,
                      Scope scope, Location where) {
  Target target(at, where);
  return target.update(mode(op, target.dtype()), value, order_of(order, scope));
}

TileRef atomic_compare_exchange(const AtomicTarget& at, const TileRef& expected,
                                const TileRef& value, MemoryOrder order, Scope scope,
                                Location where) {
  return Target(at, where).exchange(expected, value, order_of(order, scope));
}

TileRef atomic_load(const AtomicTarget& at, MemoryOrder order, Scope scope, Location where) {
  Target target(at, where);
  if (order == MemoryOrder::release || order == MemoryOrder::acq_rel) {
    target.trace().error("an atomic load is relaxed or acquire", where);
    order = MemoryOrder::relaxed;
  }
  return target.load(order_of(order, scope));
}

void atomic_store(const AtomicTarget& at, const TileRef& value, MemoryOrder order, Scope scope,
                  Location where) {
  Target target(at, where);
  if (order == MemoryOrder::acquire || order == MemoryOrder::acq_rel) {
    target.trace().error("an atomic store is relaxed or release", where);
    order = MemoryOrder::relaxed;
  }
  target.store(value, order_of(order, scope));
}

}  // namespace tw::inline v0::detail
