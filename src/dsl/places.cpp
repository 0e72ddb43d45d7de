// SPDX-License-Identifier: Apache-2.0
#include "dsl/places.hpp"

#include <algorithm>

#include <tilewright/dsl/control.hpp>
#include <tilewright/dsl/math.hpp>

namespace tw::inline v0::detail {

using ir::AbiKind;
using ir::Opcode;

namespace {

/// The axes of the hardware's grid that a launch uses.
int hardware_rank(const Boxes& boxes) {
  const Specialisation& specialisation = boxes.specialisation();
  return specialisation.linear_grid ? 1 : std::max<int>(specialisation.grid_rank, 1);
}

}  // namespace

ir::Value linear_block(Boxes& boxes, Location where) {
  const Scalars scalars(boxes, where);
  const std::array<ir::Value, 3> ids = boxes.trace().at(where).block_ids();
  const std::array<ir::Value, 3> counts = boxes.trace().at(where).block_counts();
  auto axis = static_cast<std::size_t>(hardware_rank(boxes)) - 1;
  ir::Value linear = ids[axis];
  while (axis-- > 0) linear = scalars.add(scalars.multiply(linear, counts[axis]), ids[axis]);
  return linear;
}

ir::Value linear_block_count(Boxes& boxes, Location where) {
  const Scalars scalars(boxes, where);
  const std::array<ir::Value, 3> counts = boxes.trace().at(where).block_counts();
  ir::Value product = counts[0];
  for (int axis = 1; axis < hardware_rank(boxes); ++axis) {
    product = scalars.multiply(product, counts[static_cast<std::size_t>(axis)]);
  }
  return product;
}

std::vector<ir::Value> box_counts(Boxes& boxes, int parameter, const Box& tensor, Location where) {
  const Scalars scalars(boxes, where);
  const ParameterFacts& facts = boxes.facts(parameter);
  std::vector<ir::Value> counts;
  for (std::size_t axis = 0; axis < tensor.axes.size(); ++axis) {
    const Cut& cut = facts.cuts[axis];
    if (cut.kind != CutKind::tile || ((facts.single_block_axes >> axis) & 1) != 0) {
      counts.push_back({});
      continue;
    }
    const bool listed = axis == 0 && facts.rows != RowList::none;
    const ir::Value extent =
        listed ? boxes.argument(AbiKind::ids_count, parameter) : tensor.axes[axis].extent;
    counts.push_back(boxes.to_int(scalars.ceil_divide(extent, cut.size), where));
  }
  return counts;
}

ir::Value product_of(Boxes& boxes, const std::vector<ir::Value>& counts, Location where) {
  const Scalars scalars(boxes, where);
  ir::Value product;
  for (const ir::Value count : counts) {
    if (count) product = product ? scalars.multiply(product, count) : count;
  }
  return product ? product : scalars.number(ElementKind::i32, 1);
}

namespace {

/// The axes that are cut into more than one box, outermost first.
std::vector<std::size_t> cut_axes(const std::vector<ir::Value>& counts) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    if (counts[axis]) axes.push_back(axis);
  }
  return axes;
}

/// Walks the last two axes in groups of `rows` rows, column by column inside a group, so that
/// blocks that run together share operands. Takes the numbers of those axes out of `linear`.
ir::Value decode_swizzled(const Scalars& scalars, std::int64_t rows, ir::Value row_count,
                          ir::Value column_count, ir::Value linear, ir::Value& row,
                          ir::Value& column) {
  const ir::Value plane = scalars.multiply(row_count, column_count);
  const ir::Value inside = scalars.remainder(linear, plane);
  // A group is no larger than the plane, so that its size fits into 32 bits as well.
  const ir::Value group_rows = scalars.minimum(scalars.number(ElementKind::i32, rows), row_count);
  const ir::Value group_size = scalars.multiply(group_rows, column_count);
  const ir::Value first_row = scalars.multiply(scalars.divide(inside, group_size), group_rows);
  const ir::Value in_group = scalars.remainder(inside, group_size);
  const ir::Value height = scalars.minimum(scalars.subtract(row_count, first_row), group_rows);
  // Row and column lie in the plane as it is; the bounds spell it out for whoever proves accesses.
  const auto within = [&](ir::Value at, ir::Value count) {
    const ir::Value one = scalars.number(ElementKind::i32, 1);
    return scalars.minimum(at, scalars.subtract(count, one));
  };
  row = within(scalars.add(first_row, scalars.remainder(in_group, height)), row_count);
  column = within(scalars.divide(in_group, height), column_count);
  return scalars.divide(linear, plane);
}

/// The coordinates of box number `linear` along axes with these extents.
std::vector<ir::Value> decode(Boxes& boxes, std::vector<ir::Value> extents, ir::Value linear,
                              Location where) {
  const Scalars scalars(boxes, where);
  const std::int32_t swizzle = boxes.specialisation().swizzle;
  std::vector<ir::Value> at(extents.size());
  std::size_t rest = extents.size();
  if (swizzle > 0 && rest >= 2) {
    linear = decode_swizzled(scalars, swizzle, extents[rest - 2], extents[rest - 1], linear,
                             at[rest - 2], at[rest - 1]);
    rest -= 2;
  }
  while (rest-- > 0) {
    if (rest == 0) {
      at[0] = linear;
    } else {
      at[rest] = scalars.remainder(linear, extents[rest]);
      linear = scalars.divide(linear, extents[rest]);
    }
  }
  return at;
}

}  // namespace

std::vector<ir::Value> decode_places(Boxes& boxes, const ParameterFacts& facts,
                                     const std::vector<ir::Value>& counts, ir::Value linear,
                                     Location where) {
  const std::vector<std::size_t> axes = cut_axes(counts);
  std::vector<ir::Value> extents;
  for (const std::size_t axis : axes) extents.push_back(counts[axis]);
  const std::vector<ir::Value> at = decode(boxes, std::move(extents), linear, where);
  const ir::Value zero = boxes.trace().at(where).integer(ElementKind::i32, 0);
  std::vector<ir::Value> places(static_cast<std::size_t>(facts.rank), zero);
  for (std::size_t i = 0; i < axes.size(); ++i) places[axes[i]] = at[i];
  return places;
}

std::vector<ir::Value> box_places(Boxes& boxes, const ParameterFacts& facts, const Place& place,
                                  Location where) {
  const ir::Value zero = boxes.trace().at(where).integer(ElementKind::i32, 0);
  std::vector<ir::Value> places(static_cast<std::size_t>(facts.rank), zero);
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < places.size(); ++axis) {
    const bool cut = facts.cuts[axis].kind == CutKind::tile;
    const bool single = ((facts.single_block_axes >> axis) & 1) != 0;
    if (cut && !single && next < place.coordinates.size()) places[axis] = place.coordinates[next++];
  }
  return places;
}

namespace {

/// The place of a block that carries coordinates; the last axis of the common grid is x.
Place hardware_place(Boxes& boxes, Location where) {
  Place place;
  const auto rank = static_cast<std::size_t>(boxes.specialisation().grid_rank);
  if (rank == 0) return place;
  const std::array<ir::Value, 3> ids = boxes.trace().at(where).block_ids();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    place.coordinates.push_back(ids[rank - 1 - axis]);
  }
  return place;
}

std::vector<ir::Value> common_grid(Boxes& boxes) {
  std::vector<ir::Value> extents;
  for (int axis = 0; axis < boxes.specialisation().grid_rank; ++axis) {
    extents.push_back(boxes.argument(AbiKind::common_grid, -1, axis));
  }
  return extents;
}

/// The first parameter that is a partition of a list, or -1.
int list_output(const Specialisation& specialisation) {
  for (std::size_t i = 0; i < specialisation.parameters.size(); ++i) {
    const ParameterFacts& facts = specialisation.parameters[i];
    const bool owned = facts.kind == ParameterKind::out || facts.kind == ParameterKind::in_out;
    if (facts.list && owned) return static_cast<int>(i);
  }
  return -1;
}

/// Group after group: each block takes every n-th place of all the tensors' places together.
void trace_groups(Boxes& boxes, int parameter, void* context, void (*call)(void*, PlaceRef),
                  Location where) {
  const Int block(Trusted{boxes.as_int(linear_block(boxes, where), where)});
  const Int blocks(Trusted{boxes.as_int(linear_block_count(boxes, where), where)});
  const Int groups(Trusted{list_size({parameter, boxes.trace().number()}, where)});
  Var<Int> first(block, where);
  for (const Int group : range(groups, where)) {
    const ir::Value which = boxes.trace().use(group.ref(), where);
    const Box tensor = boxes.list_element(parameter, which, where);
    const Int count(Trusted{boxes.as_int(
        product_of(boxes, box_counts(boxes, parameter, tensor, where), where), where)});
    for (const Int place : range(first, count, blocks, where)) {
      call(context, boxes.add(Place{{}, ir::Value{place.ref().value}, which}));
    }
    // The walk goes on behind this group: the first place of the next one that is this block's.
    first = floor_mod(first - count, blocks, {}, where);
  }
}

}  // namespace

void trace_places(Boxes& boxes, void* context, void (*call)(void*, PlaceRef), Location where) {
  const Specialisation& specialisation = boxes.specialisation();
  if (const int parameter = list_output(specialisation); parameter >= 0) {
    trace_groups(boxes, parameter, context, call, where);
    return;
  }
  if (!specialisation.linear_grid) {
    call(context, boxes.add(hardware_place(boxes, where)));
    return;
  }
  const std::vector<ir::Value> extents = common_grid(boxes);
  auto at = [&](ir::Value linear) {
    return boxes.add(Place{decode(boxes, extents, linear, where), linear, {}});
  };
  if (!specialisation.persistent) {
    call(context, at(linear_block(boxes, where)));
    return;
  }
  const Int block(Trusted{boxes.as_int(linear_block(boxes, where), where)});
  const Int blocks(Trusted{boxes.as_int(linear_block_count(boxes, where), where)});
  const Int places(Trusted{boxes.as_int(product_of(boxes, extents, where), where)});
  for (const Int place : range(block, places, blocks, where)) {
    call(context, at(boxes.trace().use(place.ref(), where)));
  }
}

}  // namespace tw::inline v0::detail
