// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include <fmt/format.h>

#include <tilewright/dsl/trace_kernel.hpp>

#include "dsl/access.hpp"
#include "dsl/places.hpp"

namespace tw::inline v0::detail {

using ir::AbiKind;
using ir::Opcode;

bool is_present(int parameter) { return Boxes::current().facts(parameter).present; }

BoxRef input(int parameter) {
  Boxes& boxes = Boxes::current();
  return boxes.add(boxes.tensor(parameter, boxes.kernel_line()));
}

BoxRef list_element(const ParameterRef& ref, const TileRef& which, Location where) {
  Boxes& boxes = Boxes::current(where);
  const int parameter = boxes.parameter(ref, where);
  const ir::Value row = boxes.trace().use(which, where);
  return boxes.add(boxes.list_element(parameter, row, where));
}

TileRef list_size(const ParameterRef& ref, Location where) {
  Boxes& boxes = Boxes::current(where);
  return boxes.as_int(boxes.argument(AbiKind::rows_count, boxes.parameter(ref, where)), where);
}

TileRef scalar(int parameter) {
  Boxes& boxes = Boxes::current();
  return boxes.trace().make(boxes.argument(AbiKind::scalar, parameter),
                            boxes.facts(parameter).dtype, {}, boxes.kernel_line());
}

TileRef grid_extent(const ParameterRef& ref, int axis, Location where) {
  Boxes& boxes = Boxes::current(where);
  const int parameter = boxes.parameter(ref, where);
  const auto rank = static_cast<std::size_t>(boxes.facts(parameter).rank);
  if (!has_axis(boxes.trace(), "extent", rank, axis, where)) {
    return constant(1, DType::int32, where);
  }
  return boxes.as_int(boxes.argument(AbiKind::grid, parameter, axis), where);
}

TileRef grid_block(const ParameterRef& ref, int axis, const PlaceRef& place, Location where) {
  Boxes& boxes = Boxes::current(where);
  const ParameterFacts& facts = boxes.facts(boxes.parameter(ref, where));
  const std::vector<ir::Value> at = box_places(boxes, facts, boxes.place(place, where), where);
  return boxes.as_int(at[static_cast<std::size_t>(axis)], where);
}

namespace {

/// The ids of the rows that a block owns; -1, which names none, beyond the end of the list.
ir::Value block_row_ids(Boxes& boxes, int parameter, const Cut& cut, ir::Value place,
                        Location where) {
  const Scalars scalars(boxes, where);
  ir::Builder& builder = boxes.trace().at(where);
  const auto stored =
      static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(cut.size)));
  const Shape shape{stored};
  const ElementKind kind = boxes.index_kind();
  const ir::Value lane = builder.simple(Opcode::iota, ir::tile_type(kind, shape), {});
  const ir::Value first =
      scalars.multiply(boxes.to_index(place, where), scalars.number(kind, cut.size));
  const ir::Value at = scalars.add(builder.spread(first, shape), lane);
  const ir::Value count = boxes.argument(AbiKind::ids_count, parameter);
  ir::Value listed = scalars.less(at, builder.spread(count, shape));
  if (stored != cut.size) {
    const ir::Value limit = builder.constant(kind, static_cast<std::uint64_t>(cut.size), shape);
    listed = scalars.both(listed, scalars.less(lane, limit));
  }
  const ir::Value base = builder.spread(boxes.argument(AbiKind::ids, parameter), shape);
  const ir::Value pointers = builder.simple(Opcode::offset, builder.type(base), {base, at});
  return load_table(builder, pointers, listed, 0xffffffff);
}

Box own(Boxes& boxes, int parameter, const std::vector<ir::Value>& places, ir::Value group,
        Location where) {
  const ParameterFacts& facts = boxes.facts(parameter);
  Box box =
      facts.list ? boxes.list_element(parameter, group, where) : boxes.tensor(parameter, where);
  box.is_owned = true;
  box.cuts = facts.cuts;
  box.rows = facts.rows;
  for (std::size_t axis = 0; axis < places.size(); ++axis) box.place[axis] = places[axis];
  if (facts.rows != RowList::none) {
    box.row_ids = block_row_ids(boxes, parameter, facts.cuts[0], places[0], where);
  }
  return box;
}

}  // namespace

BoxRef owned(int parameter, const PlaceRef& ref) {
  Boxes& boxes = Boxes::current();
  const Location where = boxes.kernel_line();
  const Place place = boxes.place(ref, where);
  const ParameterFacts& facts = boxes.facts(parameter);
  std::vector<ir::Value> places;
  if (facts.list) {
    const Box tensor = boxes.list_element(parameter, place.group, where);
    places = decode_places(boxes, facts, box_counts(boxes, parameter, tensor, where), place.linear,
                           where);
  } else {
    places = box_places(boxes, facts, place, where);
  }
  return boxes.add(own(boxes, parameter, places, place.group, where));
}

Deal deal(std::span<const ParameterRef> parameters, Location where) {
  Boxes& boxes = Boxes::current(where);
  const Scalars scalars(boxes, where);
  ir::Value total;
  std::int16_t first_zipped = -1;
  for (const ParameterRef& ref : parameters) {
    const int parameter = boxes.parameter(ref, where);
    const Box tensor = boxes.tensor(parameter, where);
    const ir::Value places = product_of(boxes, box_counts(boxes, parameter, tensor, where), where);
    if (!total) {
      first_zipped = static_cast<std::int16_t>(parameter);
      total = places;
      continue;
    }
    // Launches whose partitions differ in places are refused.
    boxes.trace().kernel().zipped.push_back({first_zipped, static_cast<std::int16_t>(parameter)});
    total = scalars.minimum(total, places);
  }
  const ir::Value first = linear_block(boxes, where);
  const ir::Value step = linear_block_count(boxes, where);
  return {boxes.as_int(first, where), boxes.as_int(total, where), boxes.as_int(step, where)};
}

BoxRef dealt(const ParameterRef& ref, const TileRef& place, Location where) {
  Boxes& boxes = Boxes::current(where);
  const int parameter = boxes.parameter(ref, where);
  const Box tensor = boxes.tensor(parameter, where);
  const std::vector<ir::Value> places =
      decode_places(boxes, boxes.facts(parameter), box_counts(boxes, parameter, tensor, where),
                    boxes.trace().use(place, where), where);
  return boxes.add(own(boxes, parameter, places, {}, where));
}

int dealt_extent(const ParameterRef& ref, int axis, Location where) {
  Boxes& boxes = Boxes::current(where);
  const ParameterFacts& facts = boxes.facts(boxes.parameter(ref, where));
  const Cut& cut = facts.cuts[static_cast<std::size_t>(axis)];
  if (cut.kind == CutKind::whole) {
    boxes.trace().error(
        fmt::format("the block owns axis {} whole: it has no tile extent there", axis), where);
    return 1;
  }
  return static_cast<int>(cut.size);
}

}  // namespace tw::inline v0::detail
