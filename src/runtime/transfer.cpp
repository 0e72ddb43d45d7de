// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/geometry.hpp>
#include <tilewright/runtime/submit.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "runtime/element_copy.hpp"

namespace tw::inline v0::runtime {
namespace {

/// What a copy needs while it is in flight.
struct CopyCommand {
  Lease to;
  Lease from;
  Layout to_layout;
  Layout from_layout;

  void operator()() const noexcept {
    copy_elements(to->data(), to_layout, from->data(), from_layout);
  }
};

detail::TensorGeometry geometry_of(const TensorState& state) {
  const Layout& layout = state.layout;
  detail::TensorGeometry geometry{.address = state.storage->data() + layout.offset,
                                  .dtype = layout.dtype,
                                  .rank = static_cast<std::int8_t>(layout.rank())};
  std::ranges::copy(layout.extents, geometry.extents);
  std::ranges::copy(layout.strides, geometry.strides);
  return geometry;
}

void refuse_unlike(const TensorState& to, const TensorState& from, Location where) {
  if (to.layout.extents != from.layout.extents) {
    throw LaunchError(fmt::format("a {} tensor cannot be copied to a {} tensor",
                                  to_string(from.layout.extents), to_string(to.layout.extents)),
                      where);
  }
  const auto target = geometry_of(to);
  if (!detail::proved_injective(target)) {
    throw LaunchError(fmt::format("a {} tensor with strides {} cannot be written: two of its "
                                  "indices may name one element",
                                  to_string(to.layout.extents), to_string(to.layout.strides)),
                      where);
  }
  if (to.storage == from.storage &&
      !detail::proved_disjoint(target, geometry_of(from), to.storage->data())) {
    throw LaunchError("the tensors of a copy have elements in common", where);
  }
}

}  // namespace

std::size_t download_bytes(const TensorState& from) noexcept {
  return static_cast<std::size_t>(packed_bytes(from.layout.dtype, from.layout.size()));
}

void download(const TensorState& from, void* host, Location where) {
  from.storage->wait_for_writers(where);
  const Layout& layout = from.layout;
  copy_elements(static_cast<std::byte*>(host), row_major(layout.dtype, layout.extents, where),
                from.storage->data(), layout);
}

void enqueue_copy(const TensorState& to, const TensorState& from, const StreamRef& stream,
                  Location where) {
  refuse_unlike(to, from, where);
  const Use uses[] = {{to.storage.get(), Access::write}, {from.storage.get(), Access::read}};
  submit(stream, uses, CopyCommand{Lease(to.storage), Lease(from.storage), to.layout, from.layout},
         RunOn::worker, where);
}

}  // namespace tw::inline v0::runtime
