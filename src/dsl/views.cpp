// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "dsl/access.hpp"

namespace tw::inline v0::detail {
namespace {

using ir::Opcode;

std::size_t tensor_axis(const Box& box, int visible) {
  return static_cast<std::size_t>(box.visible[static_cast<std::size_t>(visible)]);
}

const Cut& cut_of(const Box& box, int visible) { return box.cuts[tensor_axis(box, visible)]; }

/// The pieces that a tile cuts out of what a block owns along one axis; 0 where it owns the full
/// axis.
std::int64_t pieces(const Cut& cut, std::int64_t tile) {
  return cut.kind == CutKind::whole ? 0 : cut.size / tile;
}

bool is_positive(Trace& trace, const Shape& tile, Location where) {
  for (const std::int64_t extent : tile) {
    if (extent < 1) {
      trace.error(fmt::format("a tile cannot have the shape {}: every extent must be positive",
                              to_string(tile)),
                  where);
      return false;
    }
  }
  return true;
}

bool divides_box(Trace& trace, const Box& box, const Shape& tile, Location where) {
  if (!box.is_owned) return true;
  for (std::size_t i = 0; i < tile.size(); ++i) {
    const Cut& cut = cut_of(box, static_cast<int>(i));
    if (cut.kind == CutKind::whole || cut.size % tile[i] == 0) continue;
    trace.error(fmt::format("tiles of {} do not divide the box of {} that a block owns along axis "
                            "{}",
                            tile[i], cut.size, i),
                where);
    return false;
  }
  return true;
}

/// The tile index along one axis of a tiling, with the bound that it must stay below.
TileIndex tile_index(Boxes& boxes, const Box& box, const Tiling& tiling, int visible,
                     ir::Value index, Location where) {
  const Scalars scalars(boxes, where);
  const std::int64_t extent = tiling.tile[static_cast<std::size_t>(visible)];
  const BoxAxis& axis = box.axes[tensor_axis(box, visible)];
  TileIndex at{.index = index, .extent = extent, .bound = {}};
  if (tiling.padding) at.outside = Outside::ignore;
  at.bound = scalars.ceil_divide(axis.extent, extent);
  return at;
}

std::vector<TileIndex> tile_indices(Boxes& boxes, Access& access, const Box& box,
                                    const Tiling& tiling, Indices at, Location where) {
  const Scalars scalars(boxes, where);
  std::vector<TileIndex> indices;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const int visible = static_cast<int>(i);
    const ir::Value index = boxes.trace().use(at[i], where);
    const Cut& cut = cut_of(box, visible);
    if (!box.is_owned || cut.kind == CutKind::whole) {
      indices.push_back(tile_index(boxes, box, tiling, visible, index, where));
      continue;
    }
    // Inside the own box: the index counts its pieces; the box may end beyond the tensor.
    const std::int64_t count = pieces(cut, tiling.tile[i]);
    access.require(
        {.index = index, .extent = tiling.tile[i], .bound = boxes.index_number(count, where)},
        visible);
    const ir::Value place = boxes.to_index(box.place[tensor_axis(box, visible)], where);
    const ir::Value first = scalars.multiply(place, boxes.index_number(count, where));
    TileIndex inside{.index = scalars.add(first, boxes.to_index(index, where)),
                     .extent = tiling.tile[i],
                     .bound = {}};
    if (count > 1 && cut.kind == CutKind::tile) {
      inside.bound = scalars.ceil_divide(box.axes[tensor_axis(box, visible)].extent, inside.extent);
      inside.outside = Outside::ignore;
    }
    indices.push_back(inside);
  }
  return indices;
}

/// Rows of a list are named one by one: only whole boxes of them can be touched.
bool refuses_rows(Trace& trace, const Box& box, const char* what, Location where) {
  if (box.rows == RowList::none) return false;
  trace.error(
      fmt::format("{} of an output whose rows are listed: store or load the whole box", what),
      where);
  return true;
}

}  // namespace

namespace {

/// Requires of a number of elements or tiles along an axis that an Int holds it.
void require_int(Boxes& boxes, const Box& box, int visible, ir::Value number, Location where) {
  if (boxes.index_kind() != ElementKind::i64) return;
  const ir::Value limit = boxes.index_number(std::int64_t{1} << 31, where);
  boxes.trace().check_bounds(
      {.kind = "extent",
       .parameter = box.parameter,
       .axis = box.visible[static_cast<std::size_t>(visible)],
       .text = "an axis of 2^31 elements or more has places that no Int holds: reshape the tensor"},
      Scalars(boxes, where).inside(number, limit), number, limit, where);
}

}  // namespace

TileRef extent(const BoxRef& ref, int axis, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box box = boxes.box(ref, where);
  if (!has_axis(boxes.trace(), "extent", box.visible.size(), axis, where)) {
    return constant(1, DType::int32, where);
  }
  const ir::Value extent = box.axes[tensor_axis(box, axis)].extent;
  require_int(boxes, box, axis, extent, where);
  return boxes.as_int(extent, where);
}

BoxRef select(const BoxRef& ref, std::span<const int> axes, Indices at, Location where) {
  Boxes& boxes = Boxes::current(where);
  Box box = boxes.box(ref, where);
  const std::vector<int> visible = box.visible;
  Access access(boxes, box, "select", where);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(visible[static_cast<std::size_t>(axes[i])]);
    const ir::Value index = boxes.trace().use(at[i], where);
    access.require({.index = index, .extent = 1, .bound = box.axes[axis].extent}, axes[i]);
  }
  box.guard = access.guard();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const int axis = visible[static_cast<std::size_t>(axes[i])];
    box.axes[static_cast<std::size_t>(axis)].fixed = ir::Value{at[i].value};
    std::erase(box.visible, axis);
  }
  return boxes.add(std::move(box));
}

BoxRef slice(const BoxRef& ref, int visible, const TileRef& start, const TileRef& length,
             Location where) {
  Boxes& boxes = Boxes::current(where);
  Box box = boxes.box(ref, where);
  const std::size_t axis = tensor_axis(box, visible);
  if (box.is_owned && box.cuts[axis].kind != CutKind::whole) {
    boxes.trace().error("slice: only an axis that the block owns whole can be narrowed", where);
    return ref;
  }
  if (shares_bytes(box.dtype) && axis + 1 == box.axes.size()) {
    boxes.trace().error("slice: two elements share a byte along the last axis", where);
    return ref;
  }
  const Scalars scalars(boxes, where);
  const ElementKind kind = boxes.index_kind();
  const ir::Value first = boxes.to_index(boxes.trace().use(start, where), where);
  const ir::Value count = boxes.to_index(boxes.trace().use(length, where), where);
  const ir::Value extent = box.axes[axis].extent;
  const ir::Value one = scalars.number(kind, 1);
  const ir::Value ends = scalars.add(extent, one);
  // 0 <= start <= extent and 0 <= length <= extent - start, without overflow.
  Access access(boxes, box, "slice", where);
  access.require({.index = first, .extent = 1, .bound = ends}, visible);
  access.require({.index = count, .extent = 1, .bound = scalars.subtract(ends, first)}, visible);
  box.guard = access.guard();

  ir::Value offset = first;
  if (const ir::Value stride = box.axes[axis].stride) offset = scalars.multiply(first, stride);
  ir::Builder& builder = boxes.trace().at(where);
  box.base = builder.simple(Opcode::offset, builder.type(box.base), {box.base, offset});
  box.axes[axis].extent = count;
  box.axes[axis].known_extent = std::nullopt;
  return boxes.add(std::move(box));
}

TileRef element_at(const BoxRef& ref, Indices at, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box box = boxes.box(ref, where);
  Access access(boxes, box, "load", where);
  std::vector<Elements> elements;
  for (const BoxAxis& axis : box.axes) {
    elements.push_back({axis.fixed ? boxes.to_index(axis.fixed, where) : ir::Value{}});
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    const int visible = static_cast<int>(i);
    const std::size_t axis = tensor_axis(box, visible);
    const ir::Value index = boxes.trace().use(at[i], where);
    access.require({.index = index, .extent = 1, .bound = box.axes[axis].extent}, visible);
    elements[axis].ids = boxes.to_index(index, where);
  }
  return boxes.trace().make(access.load_elements(elements, {}, {}, 0), box.dtype, {}, where);
}

TilingRef tiling(const BoxRef& ref, const Shape& tile, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box& box = boxes.box(ref, where);
  Trace& trace = boxes.trace();
  Shape extents = tile;
  if (!is_positive(trace, tile, where) || !divides_box(trace, box, tile, where)) {
    extents = Shape::filled(tile.size(), 1);
  }
  refuses_rows(trace, box, "tiles", where);
  return boxes.add(Tiling{.box = ref.index, .tile = std::move(extents), .padding = std::nullopt});
}

TilingRef padded(const TilingRef& ref, Number padding, Location where) {
  Boxes& boxes = Boxes::current(where);
  Tiling tiling = boxes.tiling(ref, where);
  tiling.padding = number_bits(boxes.trace(), padding, boxes.box_of(tiling).dtype, where);
  return boxes.add(std::move(tiling));
}

TileRef count(const TilingRef& ref, int visible, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Tiling& tiling = boxes.tiling(ref, where);
  const Box& box = boxes.box_of(tiling);
  if (!has_axis(boxes.trace(), "count", tiling.tile.size(), visible, where)) {
    return constant(1, DType::int32, where);
  }
  const std::int64_t tile = tiling.tile[static_cast<std::size_t>(visible)];
  if (box.is_owned) {
    const Cut& cut = cut_of(box, visible);
    if (cut.kind != CutKind::whole) return constant(pieces(cut, tile), DType::int32, where);
  }
  const Scalars scalars(boxes, where);
  const ir::Value tiles = scalars.ceil_divide(box.axes[tensor_axis(box, visible)].extent, tile);
  require_int(boxes, box, visible, tiles, where);
  return boxes.as_int(tiles, where);
}

TileRef load(const TilingRef& ref, Indices at, const AccessHints& hints, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Tiling tiling = boxes.tiling(ref, where);
  const Box box = boxes.box_of(tiling);
  Access access(boxes, box, "load", where);
  const std::vector<TileIndex> indices = tile_indices(boxes, access, box, tiling, at, where);
  return boxes.trace().make(access.load_tile(indices, tiling.padding, hints), box.dtype,
                            tiling.tile, where);
}

namespace {

/// Whether a tile may be stored here: the shape must be that of the place.
bool stores_shape(Boxes& boxes, const Box& box, const TileRef& tile, const Shape& target,
                  const char* what, Location where) {
  if (tile.shape == target) return true;
  boxes.trace().error(fmt::format("store into argument {}: the tile of {} has the shape {}, {} {}",
                                  box.parameter + 1, info(tile.dtype).name, to_string(tile.shape),
                                  what, to_string(target)),
                      where);
  return false;
}

}  // namespace

void store(const TilingRef& ref, const TileRef& tile, Indices at, const AccessHints& hints,
           Location where) {
  Boxes& boxes = Boxes::current(where);
  const Tiling tiling = boxes.tiling(ref, where);
  const Box box = boxes.box_of(tiling);
  boxes.note_store(box);
  const ir::Value value = boxes.trace().use(tile, where);
  if (!stores_shape(boxes, box, tile, tiling.tile, "the output's tiles", where)) return;
  Access access(boxes, box, "store", where);
  const std::vector<TileIndex> indices = tile_indices(boxes, access, box, tiling, at, where);
  access.store_tile(value, indices, hints);
}

TileRef gather(const TilingRef& ref, int axis, const TileRef& ids, Indices at, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Tiling tiling = boxes.tiling(ref, where);
  const Box box = boxes.box_of(tiling);
  const auto gathered = static_cast<std::size_t>(axis);
  if (ids.shape.front() != tiling.tile[gathered]) {
    boxes.trace().error(fmt::format("gather: {} ids for tiles of extent {} along axis {}",
                                    ids.shape.front(), tiling.tile[gathered], axis),
                        where);
    return boxes.trace().poison(box.dtype, tiling.tile, where);
  }
  Access access(boxes, box, "gather", where);
  const Shape shape = stored_shape(tiling.tile);
  const Outside outside = tiling.padding ? Outside::ignore : Outside::fault;
  std::vector<Elements> elements;
  for (const BoxAxis& seen : box.axes) {
    elements.push_back({seen.fixed ? boxes.to_index(seen.fixed, where) : ir::Value{}});
  }
  ir::Value mask;
  std::size_t next = 0;
  for (std::size_t i = 0; i < tiling.tile.size(); ++i) {
    const int visible = static_cast<int>(i);
    const std::size_t of_tensor = tensor_axis(box, visible);
    if (i == gathered) {
      // Lanes beyond the user's ids name nothing.
      const ir::Value named =
          boxes.to_index(masked(boxes.trace(), ids, 0, 0xffffffffu, where), where);
      ir::Value asked;
      if (shape[i] != tiling.tile[i]) {
        const TileRef all = filled(1, DType::boolean, Shape{tiling.tile[i]}, where);
        asked = masked(boxes.trace(), all, 0, 0, where);
      }
      const ir::Value touched = access.require_ids(named, box.axes[of_tensor].extent, asked, false,
                                                   outside, static_cast<int>(of_tensor));
      mask = access.scalars().both(mask, access.spread(touched, shape, visible));
      elements[of_tensor] = {named, visible};
      continue;
    }
    const ir::Value index = boxes.trace().use(at[next++], where);
    access.require(tile_index(boxes, box, tiling, visible, index, where), visible);
    elements[of_tensor] = access.run(index, tiling.tile[i], shape[i], visible);
    mask = access.scalars().both(mask,
                                 access.lanes(elements[of_tensor], tiling.tile[i], shape, visible));
  }
  return boxes.trace().make(access.load_elements(elements, shape, mask, tiling.padding.value_or(0)),
                            box.dtype, tiling.tile, where);
}

// --- what a block owns

int tile_extent(const BoxRef& ref, int axis, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Cut& cut = cut_of(boxes.box(ref, where), axis);
  if (cut.kind == CutKind::whole) {
    boxes.trace().error(
        fmt::format("the block owns axis {} whole: it has no tile extent there", axis), where);
    return 1;
  }
  return static_cast<int>(cut.size);
}

TileRef block(const BoxRef& ref, int axis, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box& box = boxes.box(ref, where);
  return boxes.as_int(box.place[tensor_axis(box, axis)], where);
}

TileRef group(const BoxRef& ref, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box& box = boxes.box(ref, where);
  if (!box.group) return constant(0, DType::int32, where);
  return boxes.as_int(box.group, where);
}

TileRef index(const BoxRef& ref, int axis, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box& box = boxes.box(ref, where);
  const std::size_t of_tensor = tensor_axis(box, axis);
  const Cut& cut = box.cuts[of_tensor];
  if (cut.kind == CutKind::whole) {
    boxes.trace().error(fmt::format("the block owns axis {} whole: its elements are no tile", axis),
                        where);
    return boxes.trace().poison(DType::int32, Shape{1}, where);
  }
  const Shape shape{cut.size};
  if (of_tensor == 0 && box.rows != RowList::none) {
    return boxes.trace().make(box.row_ids, DType::int32, shape, where);
  }
  const Scalars scalars(boxes, where);
  // The lanes beyond the tensor, too, must lie behind all others.
  const ir::Value beyond = boxes.index_number(cut.size - 1, where);
  require_int(boxes, box, axis, scalars.add(box.axes[of_tensor].extent, beyond), where);
  const ir::Value place = boxes.to_index(box.place[of_tensor], where);
  const ir::Value element = scalars.multiply(place, boxes.index_number(cut.size, where));
  return binary(Binary::add, boxes.as_int(element, where), iota(cut.size, where), {}, where);
}

BoxRef squeeze(const BoxRef& ref, std::span<const int> axes, Location where) {
  Boxes& boxes = Boxes::current(where);
  Box box = boxes.box(ref, where);
  const std::vector<int> visible = box.visible;
  for (const int axis : axes) {
    const int of_tensor = visible[static_cast<std::size_t>(axis)];
    const Cut& cut = box.cuts[static_cast<std::size_t>(of_tensor)];
    const bool listed = of_tensor == 0 && box.rows != RowList::none;
    if (cut.kind == CutKind::whole || cut.size != 1 || listed) {
      boxes.trace().error(
          fmt::format("squeeze: the block owns more than one element along axis {}", axis), where);
    }
    box.axes[static_cast<std::size_t>(of_tensor)].fixed =
        box.place[static_cast<std::size_t>(of_tensor)];
    std::erase(box.visible, of_tensor);
  }
  return boxes.add(std::move(box));
}

namespace {

/// The shape of the box that a block owns; nothing, with a complaint, when an axis is owned whole.
std::optional<Shape> own_shape(Trace& trace, const Box& box, const char* what, Location where) {
  Shape shape;
  for (std::size_t i = 0; i < box.visible.size(); ++i) {
    const Cut& cut = cut_of(box, static_cast<int>(i));
    if (cut.kind == CutKind::whole) {
      trace.error(fmt::format("{}: the block owns axis {} whole: cut it with tiles()", what, i),
                  where);
      return std::nullopt;
    }
    shape.push_back(cut.size);
  }
  return shape;
}

/// The own box as one tile. The place of a block is inside by construction.
std::vector<TileIndex> own_index(const Box& box, const Shape& shape) {
  std::vector<TileIndex> at;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    at.push_back({.index = box.place[tensor_axis(box, static_cast<int>(i))],
                  .extent = shape[i],
                  .bound = {}});
  }
  return at;
}

/// The elements of an own box whose rows are listed, in the tensor behind `access`.
struct ListedRows {
  std::vector<Elements> elements;
  ir::Value mask;
};

ListedRows listed_rows(Boxes& boxes, Access& access, const Box& owner, const Box& touched,
                       const Shape& shape, Location where) {
  ListedRows rows;
  const Shape stored = stored_shape(shape);
  for (const BoxAxis& seen : touched.axes) {
    rows.elements.push_back({seen.fixed ? boxes.to_index(seen.fixed, where) : ir::Value{}});
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const int visible = static_cast<int>(i);
    const std::size_t owned_axis = tensor_axis(owner, visible);
    const std::size_t axis = tensor_axis(touched, visible);
    ir::Value lanes;
    if (owned_axis == 0) {
      const ir::Value ids = boxes.to_index(owner.row_ids, where);
      lanes = access.spread(access.require_ids(ids, touched.axes[axis].extent, {}, true,
                                               Outside::fault, static_cast<int>(axis)),
                            stored, visible);
      rows.elements[axis] = {ids, visible};
    } else {
      rows.elements[axis] = access.run(owner.place[owned_axis], shape[i], stored[i], visible);
      lanes = access.lanes(rows.elements[axis], shape[i], stored, visible);
    }
    rows.mask = access.scalars().both(rows.mask, lanes);
  }
  return rows;
}

}  // namespace

void store_own(const BoxRef& ref, const TileRef& tile, const AccessHints& hints, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box box = boxes.box(ref, where);
  boxes.note_store(box);
  const ir::Value value = boxes.trace().use(tile, where);
  const std::optional<Shape> shape = own_shape(boxes.trace(), box, "store", where);
  if (!shape || !stores_shape(boxes, box, tile, *shape, "the output", where)) return;
  Access access(boxes, box, "store", where);
  if (box.rows == RowList::none) {
    access.store_tile(value, own_index(box, *shape), hints);
    return;
  }
  const ListedRows rows = listed_rows(boxes, access, box, box, *shape, where);
  access.store_elements(
      value, rows.elements, stored_shape(*shape), rows.mask,
      {box.rows == RowList::certified ? ir::MemoryOrdering::weak : ir::MemoryOrdering::relaxed});
}

TileRef load_own(const BoxRef& ref, const AccessHints& hints, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box box = boxes.box(ref, where);
  const std::optional<Shape> shape = own_shape(boxes.trace(), box, "load", where);
  if (!shape) {
    return boxes.trace().poison(box.dtype, Shape::filled(box.visible.size(), 1), where);
  }
  Access access(boxes, box, "load", where);
  if (box.rows == RowList::none) {
    return boxes.trace().make(access.load_tile(own_index(box, *shape), std::nullopt, hints),
                              box.dtype, *shape, where);
  }
  if (box.rows == RowList::plain) {
    boxes.trace().error(
        "a row list without a certificate may name a row twice: its rows cannot be loaded", where);
  }
  const ListedRows rows = listed_rows(boxes, access, box, box, *shape, where);
  return boxes.trace().make(access.load_elements(rows.elements, stored_shape(*shape), rows.mask, 0),
                            box.dtype, *shape, where);
}

TileRef load_like(const BoxRef& input, const BoxRef& output, const Number* padding,
                  const AccessHints& hints, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Box source = boxes.box(input, where);
  const Box owner = boxes.box(output, where);
  const std::optional<Shape> shape = own_shape(boxes.trace(), owner, "load_like", where);
  if (!shape) {
    return boxes.trace().poison(source.dtype, Shape::filled(source.visible.size(), 1), where);
  }
  std::optional<std::uint64_t> bits;
  if (padding != nullptr) bits = number_bits(boxes.trace(), *padding, source.dtype, where);
  Access access(boxes, source, "load", where);
  ir::Value loaded;
  if (owner.rows == RowList::none) {
    std::vector<TileIndex> at = own_index(owner, *shape);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const BoxAxis& axis = source.axes[tensor_axis(source, static_cast<int>(i))];
      at[i].bound = access.scalars().ceil_divide(axis.extent, at[i].extent);
      if (bits) at[i].outside = Outside::ignore;
    }
    loaded = access.load_tile(at, bits, hints);
  } else {
    const ListedRows rows = listed_rows(boxes, access, owner, source, *shape, where);
    loaded = access.load_elements(rows.elements, stored_shape(*shape), rows.mask, bits.value_or(0));
  }
  return boxes.trace().make(loaded, source.dtype, *shape, where);
}

}  // namespace tw::inline v0::detail
