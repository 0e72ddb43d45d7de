// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/transfer.hpp"

#include <exception>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/geometry.hpp>
#include <tilewright/runtime/submit.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "runtime/cuda/copy.hpp"
#include "runtime/element_copy.hpp"
#include "runtime/frozen_part.hpp"
#include "runtime/host_read.hpp"

namespace tw::inline v0 {
namespace runtime {
namespace {

/// What a copy needs while it is in flight.
struct CopyCommand {
  Lease to;
  Lease from;
  Layout to_layout;
  Layout from_layout;

  void operator()() const noexcept {
    copy_elements(detail::memory_of(*to), to_layout, detail::memory_of(*from), from_layout);
  }
};

void refuse_unlike(const TensorState& to, const TensorState& from,
                   const detail::TensorGeometry& target, Location where) {
  if (to.layout.extents != from.layout.extents) {
    throw LaunchError(fmt::format("a {} tensor cannot be copied to a {} tensor",
                                  to_string(from.layout.extents), to_string(to.layout.extents)),
                      where);
  }
  if (!detail::proved_injective(target)) {
    throw LaunchError(fmt::format("a {} tensor with strides {} cannot be written: two of its "
                                  "indices may name one element",
                                  to_string(to.layout.extents), to_string(to.layout.strides)),
                      where);
  }
  if (to.storage == from.storage &&
      !detail::proved_disjoint(target, geometry_of(*from.storage, from.layout),
                               detail::memory_of(*to.storage))) {
    throw LaunchError("the tensors of a copy have elements in common", where);
  }
}

/// Of elements that do not lie side by side, all bytes between the first and the last come along.
void download_from_gpu(const Storage& from, const Layout& layout, std::byte* to, Location where) {
  if (layout.size() == 0) return;
  const auto begin = static_cast<std::size_t>(layout.offset);
  if (is_row_major(layout)) {
    const auto bytes = static_cast<std::size_t>(packed_bytes(layout.dtype, layout.size()));
    cuda::download(from, begin, bytes, to, where);
    return;
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(end_in_bytes(layout)) - begin);
  cuda::download(from, begin, bytes.size(), bytes.data(), where);
  Layout taken = layout;
  taken.offset = 0;
  copy_elements(to, row_major(layout.dtype, layout.extents, where), bytes.data(), taken);
}

}  // namespace

std::size_t download_bytes(const TensorState& from) noexcept {
  return static_cast<std::size_t>(packed_bytes(from.layout.dtype, from.layout.size()));
}

void enqueue_copy(const TensorState& to, const TensorState& from, const StreamRef& stream,
                  Location where) {
  const detail::TensorGeometry target = geometry_of(*to.storage, to.layout);
  refuse_unlike(to, from, target, where);
  const FrozenPart* frozen = to.storage->frozen();
  if (const FrozenPart* part = frozen_part_of(target, frozen, nullptr, *to.storage)) {
    refuse_write(*part, where);
  }
  const Device cpu = Device::cpu();
  if (to.storage->device() != cpu || from.storage->device() != cpu || stream.device(where) != cpu) {
    cuda::copy_with_gpu(to, from, stream, where);
    return;
  }
  const Use uses[] = {{to.storage.get(), Access::write, frozen, &target},
                      {from.storage.get(), Access::read}};
  submit(stream, uses, CopyCommand{Lease(to.storage), Lease(from.storage), to.layout, from.layout},
         RunOn::worker, where);
}

}  // namespace runtime

namespace detail {

void download(const runtime::TensorState& from, void* host, Location where) {
  const runtime::HostRead reading(from.storage, where);
  if (auto error = from.storage->faults().collect_first()) std::rethrow_exception(error);
  const runtime::Layout& layout = from.layout;
  auto* to = static_cast<std::byte*>(host);
  if (from.storage->device() != Device::cpu()) {
    runtime::download_from_gpu(*from.storage, layout, to, where);
    return;
  }
  runtime::copy_elements(to, runtime::row_major(layout.dtype, layout.extents, where),
                         memory_of(*from.storage), layout);
}

}  // namespace detail
}  // namespace tw::inline v0
