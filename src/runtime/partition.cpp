// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/partition.hpp>

#include "runtime/grid.hpp"

namespace tw::inline v0::detail {
namespace {

constexpr std::size_t ids_axis = 0;

std::array<Cut, max_rank> cuts_of(std::span<const AxisCut> cuts, Location where) {
  std::array<Cut, max_rank> result{};
  for (std::size_t axis = 0; axis < cuts.size(); ++axis) {
    const Cut cut = cuts[axis].cut();
    if (cut.kind == CutKind::tile && cut.size < 1) {
      throw LaunchError(
          fmt::format("a partition cuts axis {} into pieces of {} elements: one is the least, and "
                      "`all` or `whole` leave the axis uncut",
                      axis, cut.size),
          where);
    }
    result[axis] = cut;
  }
  return result;
}

/// Gives the `all` axes the tensor's extents.
void resolve(Division& division, const Shape& extents) {
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (division.cuts[axis].kind == CutKind::all) division.cuts[axis].size = extents[axis];
  }
}

}  // namespace

Division divide(const Shape& extents, std::span<const AxisCut> cuts, Location where) {
  Division division{cuts_of(cuts, where), {}};
  resolve(division, extents);
  return division;
}

Division divide_rows(const Shape& extents, RowIds rows, std::span<const AxisCut> cuts,
                     Location where) {
  Division division = divide(extents, cuts, where);
  if (division.cuts[ids_axis].kind != CutKind::tile) {
    throw LaunchError("a partition by rows must cut axis 0: say how many ids a block takes", where);
  }
  if (rows.strength == RowList::certified && rows.rows != extents[ids_axis]) {
    throw LaunchError(fmt::format("the ids are certified for {} rows, but the tensor has {}",
                                  rows.rows, extents[ids_axis]),
                      where);
  }
  division.rows = std::move(rows);
  return division;
}

Division divide_list(std::span<const runtime::TensorState> tensors, std::span<const AxisCut> cuts,
                     Location where) {
  Division division{cuts_of(cuts, where), {}};
  if (tensors.empty()) return division;
  const Shape& first = tensors.front().layout.extents;
  resolve(division, first);
  for (std::size_t axis = 0; axis < cuts.size(); ++axis) {
    if (division.cuts[axis].kind != CutKind::all) continue;
    for (const runtime::TensorState& tensor : tensors) {
      if (tensor.layout.extents[axis] == first[axis]) continue;
      throw LaunchError(
          fmt::format("a partition takes all of axis {} as one tile, but the tensors of the list "
                      "have {} and {} elements there: `whole` streams them in smaller tiles",
                      axis, first[axis], tensor.layout.extents[axis]),
          where);
    }
  }
  return division;
}

Shape blocks_of(const Shape& extents, const Division& division) {
  HostArgument argument;
  argument.rank = static_cast<std::int8_t>(extents.size());
  std::copy_n(division.cuts.begin(), extents.size(), argument.cuts);
  TensorGeometry tensor, ids;
  std::copy(extents.begin(), extents.end(), tensor.extents);
  ids.extents[0] = division.rows.count;
  const bool by_rows = division.rows.strength != RowList::none;
  const BlockCounts counts = block_counts(argument, &tensor, by_rows ? &ids : nullptr);
  return Shape(counts.axes, counts.axes + counts.rank);
}

void ListOwnership::refuse(Location where) const {
  Diagnostic diagnostic{"the partition of a list was moved away", where, {}};
  if (consumer_ != nullptr) {
    diagnostic.notes.push_back({fmt::format("taken by {}", consumer_), consumed_at_});
  }
  throw LaunchError({std::move(diagnostic)});
}

}  // namespace tw::inline v0::detail
