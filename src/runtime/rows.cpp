// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/kernel.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/launch.hpp>
#include <tilewright/runtime/rows.hpp>
#include <tilewright/runtime/transfer.hpp>

namespace tw::inline v0 {
namespace {

/// Ids that one block looks at.
constexpr int ids_per_block = 256;

/// Each id claims its row; one that finds it claimed sets `repeated`.
void claim_rows(Grid<1> blocks, Atomic<int, dyn> claims, Atomic<int, dyn> repeated, In1<int> ids,
                int chunk) {
  auto [block] = blocks.block();
  const auto id = ids.tiles(chunk).padded(-1)(block);
  const auto before = claims.exchange(id, 1);
  repeated.store(as<int>(before == 1) - 1, 1);
}

/// Leaves the ids, or nothing but -1 when a row is named twice.
void release_rows(InOut<int, dyn> ids, In1<int> repeated) {
  const auto distinct = repeated.at(0) == 0;
  check(distinct, "distinct: a row is named twice");
  ids.store(tw::where(distinct, ids.load(), -1));
}

}  // namespace

namespace detail {

RowIds plain_rows(const runtime::TensorState& ids, Location where) {
  if (ids.layout.strides[0] != 1 && ids.layout.extents[0] > 1) {
    throw LaunchError(fmt::format("the ids of a row list must lie next to each other, but their "
                                  "stride is {}: clone() makes them so",
                                  ids.layout.strides[0]),
                      where);
  }
  return {RowList::plain, ids.storage, ids.layout.offset, ids.layout.extents[0], 0};
}

Rows certify(runtime::TensorState ids, std::int64_t rows, Location where) {
  RowIds certified = plain_rows(ids, where);
  ids.storage->freeze(ids.layout, where);
  certified.storage = std::move(ids.storage);
  certified.strength = RowList::certified;
  certified.rows = rows;
  return Rows(std::move(certified));
}

}  // namespace detail

// What is certified is a copy, which nobody else can write between the steps.
Rows DistinctRows::on(const StreamRef& stream, Location where) && {
  auto ids = clone(ids_, stream, where);
  const std::int64_t count = ids_.extent(0);
  auto claims = zeroed<int>(Place(stream, where), runtime::FirstExtent(rows_, where));
  auto repeated = zeroed<int>(Place(stream, where), 1);
  const std::int64_t blocks = (count + ids_per_block - 1) / ids_per_block;
  launch<claim_rows>(grid(blocks), mut(claims), mut(repeated), ids, ids_per_block)
      .on(stream, where);
  launch<release_rows>(mut(ids).partition({ids_per_block}), repeated).on(stream, where);
  return detail::certify(runtime::TensorAccess::take(ids, "distinct()", where), rows_, where);
}

Rows DistinctRows::sync(Location where) && {
  const StreamRef stream = current_stream(ids_.device(), where);
  Rows rows = std::move(*this).on(stream, where);
  stream.sync(where);
  return rows;
}

}  // namespace tw::inline v0
