// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "dsl/box.hpp"

namespace tw::inline v0::detail {

/// What happens when an index lies outside.
enum class Outside : std::uint8_t {
  fault,   ///< the launch reports it
  ignore,  ///< the access is skipped in silence: padding, or a box that ends at the tensor's edge
};

/// Where an access lies along one visible axis of a box, in tiles.
struct TileIndex {
  ir::Value index;          ///< an Int
  std::int64_t extent = 1;  ///< of the tile, as the user sees it
  ir::Value bound;          ///< of the index type: the index must be below; no value when proved
  Outside outside = Outside::fault;
};

/// Which elements an access names along one axis of the tensor, one by one.
struct Elements {
  ir::Value ids;   ///< of the index type: a scalar, or a tile along one visible axis
  int along = -1;  ///< that axis, or -1 for a scalar
};

/// How an access is ordered with those of other blocks.
struct Order {
  ir::MemoryOrdering ordering = ir::MemoryOrdering::weak;
  ir::MemoryScope scope = ir::MemoryScope::device;
};

/// The one door to memory: raises the bounds obligations of an access and emits it under their
/// guard.
///
/// An obligation is a `tw.check` whose condition also guards the access, so that whoever proves the
/// condition removes both. Silent obligations guard without a report.
class Access {
 public:
  Access(Boxes& boxes, const Box& box, const char* kind, Location where)
      : boxes_(boxes), box_(box), kind_(kind), where_(where), guard_(box.guard) {
    boxes.trace().refuse_in_combiner("an access to memory", where);
  }

  /// Requires that a scalar index of one visible axis is inside.
  void require(const TileIndex& at, int visible_axis);
  /// Requires that ids are inside or name nothing; gives the lanes to be touched.
  ir::Value require_ids(ir::Value ids, ir::Value bound, ir::Value mask, bool none_allowed,
                        Outside outside, int axis);
  void also(ir::Value condition) { guard_ = scalars().both(guard_, condition); }

  /// Through a tiled view.
  ir::Value load_tile(const std::vector<TileIndex>& at, std::optional<std::uint64_t> padding,
                      const AccessHints& hints);
  void store_tile(ir::Value tile, const std::vector<TileIndex>& at, const AccessHints& hints);

  /// Through a tile of pointers; `shape` is that of the visible axes, as stored.
  ir::Value load_elements(const std::vector<Elements>& elements, const Shape& shape, ir::Value mask,
                          std::uint64_t padding, Order order = {});
  void store_elements(ir::Value tile, const std::vector<Elements>& elements, const Shape& shape,
                      ir::Value mask, Order order);
  /// Atomically; gives what was there before, and zero where nothing is touched.
  ir::Value update_elements(ir::AtomicMode mode, ir::Value operand,
                            const std::vector<Elements>& elements, const Shape& shape,
                            ir::Value mask, Order order);
  ir::Value exchange_elements(ir::Value expected, ir::Value operand,
                              const std::vector<Elements>& elements, const Shape& shape,
                              ir::Value mask, Order order);

  /// The elements of a tile along a visible axis: index * step + 0, 1, ...
  Elements run(ir::Value index, std::int64_t step, std::int64_t stored, int visible_axis);
  /// Which lanes of a visible axis lie below both the user's extent and the tensor's edge.
  ir::Value lanes(const Elements& elements, std::int64_t extent, const Shape& shape,
                  int visible_axis);
  /// A one-dimensional tile stretched over the tile's shape.
  ir::Value spread(ir::Value lane, const Shape& shape, int visible_axis);

  [[nodiscard]] Scalars scalars() const { return {boxes_, where_}; }
  [[nodiscard]] ir::Value guard() const { return guard_; }
  [[nodiscard]] const BoxAxis& axis(int visible_axis) const {
    return box_
        .axes[static_cast<std::size_t>(box_.visible[static_cast<std::size_t>(visible_axis)])];
  }

  /// Emits `body` under the guard; `fallback` are the bits of what it gives elsewhere.
  template <class Body>
  ir::Value guarded(const ir::Type& type, std::uint64_t fallback, Body&& body) {
    if (!guard_) return body();
    ir::Block then;
    ir::Block otherwise;
    ir::Builder& builder = boxes_.trace().at(where_);
    builder.enter(then);
    yield(body());
    builder.leave();
    builder.enter(otherwise);
    yield(builder.constant(type.tile().kind(), fallback, type.tile().shape));
    builder.leave();
    return branch(std::move(then), std::move(otherwise), &type);
  }
  template <class Body>
  void guarded(Body&& body) {
    if (!guard_) {
      body();
      return;
    }
    ir::Block then;
    ir::Builder& builder = boxes_.trace().at(where_);
    builder.enter(then);
    body();
    yield({});
    builder.leave();
    branch(std::move(then), {}, nullptr);
  }

 private:
  struct View {
    ir::Value value;
    std::vector<ir::Value> index;
    Shape shape;  ///< of the tile with all axes of the tensor, as stored
  };
  /// The elements of a tile one by one, and which of its lanes are any.
  struct MaskedElements {
    std::vector<Elements> elements;
    ir::Value mask;
  };
  View view(const std::vector<TileIndex>& at, std::optional<ir::Padding> padding);
  /// Notes an error for a tile that would begin or end inside a byte.
  void require_whole_bytes(const std::vector<TileIndex>& at);
  MaskedElements elements_of(const std::vector<TileIndex>& at, const Shape& shape);
  /// Whether the stored tile holds elements that another block owns.
  [[nodiscard]] bool reaches_neighbours(const std::vector<TileIndex>& at, const Shape& shape) const;
  ir::Value pointers(const std::vector<Elements>& elements, const Shape& shape);
  ir::Value atomic(ir::OpDraft& draft, ir::Value mask, const Shape& shape, Order order);
  ir::Value tensor_view();
  void yield(ir::Value value);
  ir::Value branch(ir::Block then, ir::Block otherwise, const ir::Type* type);
  ir::Value replace_outside(ir::Value tile, const std::vector<TileIndex>& at, const Shape& shape,
                            std::uint64_t padding);

  Boxes& boxes_;
  const Box& box_;
  const char* kind_;
  Location where_;
  ir::Value guard_;
};

/// Hints as attributes; notes an error for those out of range.
ir::Hints ir_hints(Trace& trace, const AccessHints& hints, Location where);

/// Reads words of a table that the launch has made: a list's rows, the ids of listed rows. Lanes
/// beyond the table give `fallback`.
ir::Value load_table(ir::Builder& builder, ir::Value pointers, ir::Value inside,
                     std::uint64_t fallback);

/// The stored shape of a tile with these indices.
Shape stored_extents(const std::vector<TileIndex>& at);

}  // namespace tw::inline v0::detail
