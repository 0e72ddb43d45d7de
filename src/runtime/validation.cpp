// SPDX-License-Identifier: Apache-2.0
#include "runtime/validation.hpp"

#include <utility>

#include <fmt/format.h>

#include "runtime/description.hpp"
#include "runtime/frozen_part.hpp"

namespace tw::inline v0::detail {
namespace {

bool is_row_major(const TensorGeometry& tensor) noexcept {
  std::int64_t stride = 1;
  for (int axis = tensor.rank - 1; axis >= 0; --axis) {
    if (tensor.strides[axis] != stride) return false;
    stride *= tensor.extents[axis];
  }
  return true;
}

bool is_aligned(const TensorGeometry& tensor) noexcept {
  return address_of(tensor) % storage_bytes(tensor.dtype) == 0;
}

void check_layout(const TensorUse& tensor, Problems& problems) {
  if (!is_aligned(tensor)) {
    problems.add(
        tensor.parameter,
        fmt::format("begins at {}, which is no multiple of the {} bytes of an element",
                    static_cast<const void*>(tensor.address), storage_bytes(tensor.dtype)));
  }
  if (tensor.written && !is_row_major(tensor) && !proved_injective(tensor)) {
    problems.add(tensor.parameter,
                 "is written, but its strides let two indices name the same element");
  }
}

/// Two elements of four bits share a byte, which one block must own as a whole.
void check_cuts(const HostArgument& argument, std::size_t parameter, Problems& problems) {
  if (!argument.present || !takes_partition(argument.kind) || !shares_bytes(argument.dtype)) return;
  const Cut& last = argument.cuts[argument.rank - 1];
  if (last.kind != CutKind::tile || last.size % 2 == 0) return;
  problems.add(parameter,
               fmt::format("is cut into pieces of {} along its last axis, where two elements of {} "
                           "share a byte: cut an even number",
                           last.size, info(argument.dtype).name));
}

// What is refused is told out of line: launches are checked each time.

[[gnu::cold]] void refuse_device(const TensorUse& tensor, Device own, Device asked,
                                 Problems& problems) {
  problems.add(tensor.parameter,
               fmt::format("lies on {}, but the launch runs on {}", own.name(), asked.name()));
}

[[gnu::cold]] void refuse_borrowing(const TensorUse& tensor, const runtime::Storage& storage,
                                    Problems& problems) {
  problems.add(tensor.parameter, "lies in memory whose borrowing has ended",
               {{"borrowed here", storage.borrowed_at()}});
}

[[gnu::cold]] void refuse_borrowed_constant(const TensorUse& tensor,
                                            const runtime::Storage& storage, Problems& problems) {
  problems.add(tensor.parameter,
               "is written, but its memory is read-only: it was borrowed as constant",
               {{"borrowed here", storage.borrowed_at()}});
}

[[gnu::cold]] void refuse_shared(const TensorUse& tensor, const runtime::FrozenPart& part,
                                 Problems& problems) {
  problems.add(tensor.parameter, "is written, but its memory is read-only: it was shared",
               {{"shared here", part.shared_at}});
}

void check_writable(const LaunchState& launch, TensorUse& tensor, const runtime::Storage& storage,
                    Problems& problems) {
  if (storage.read_only()) refuse_borrowed_constant(tensor, storage, problems);
  tensor.clear_of = storage.frozen();
  if (const auto* part = runtime::frozen_part_of(tensor, tensor.clear_of, nullptr, storage)) {
    refuse_shared(tensor, *part, problems);
  }
  if (launch.arguments[tensor.parameter].kind == ParameterKind::atomic && !storage.written()) {
    problems.add(tensor.parameter,
                 "is changed atomically, but nothing was written there: start from zeroed()");
  }
}

void check_overlap(const LaunchState& launch, std::size_t written, std::size_t other,
                   Problems& problems) {
  const TensorUse& a = launch.tensors[written];
  const TensorUse& b = launch.tensors[other];
  runtime::Storage* storage = launch.storages[written].get();
  if (storage == launch.storages[other].get() && proved_disjoint(a, b, memory_of(*storage))) return;
  if (a.parameter == b.parameter) {
    problems.add(a.parameter, "is written, but two of its tensors have elements in common");
  } else {
    problems.add(a.parameter, fmt::format("is written by the launch, but shares memory with {}",
                                          problems.argument(b.parameter)));
  }
}

/// Looks for memory that `tensors[at]` and a later tensor share.
void check_overlaps(const LaunchState& launch, std::size_t at, Problems& problems) {
  const std::vector<TensorUse>& tensors = launch.tensors;
  const TensorUse& tensor = tensors[at];
  for (std::size_t later = at + 1; later < tensors.size(); ++later) {
    if (!tensor.bytes.overlaps(tensors[later].bytes)) continue;
    if (tensor.written) {
      check_overlap(launch, at, later, problems);
    } else if (tensors[later].written) {
      check_overlap(launch, later, at, problems);
    }
  }
}

}  // namespace

Problems::Problems(const LaunchState& launch, Location where) : launch_(launch), where_(where) {
  for (Diagnostic diagnostic : launch.problems) {
    diagnostic.message = fmt::format("{}: {}", launch.kernel->name, diagnostic.message);
    diagnostic.where = where;
    diagnostics_.push_back(std::move(diagnostic));
  }
}

void Problems::add(std::size_t parameter, const std::string& text,
                   std::vector<Diagnostic::Note> notes) {
  add(fmt::format("{} {}", argument(parameter), text));
  diagnostics_.back().notes = std::move(notes);
}

void Problems::add(const std::string& text) {
  diagnostics_.push_back({fmt::format("{}: {}", launch_.kernel->name, text), where_, {}});
}

std::string Problems::argument(std::size_t parameter) const {
  return describe(launch_.arguments[parameter], parameter);
}

void Problems::raise() const {
  if (!empty()) throw LaunchError(diagnostics_);
}

void check_layouts(const LaunchState& launch, Problems& problems) {
  for (const TensorUse& tensor : launch.tensors) check_layout(tensor, problems);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    check_cuts(launch.arguments[i], i, problems);
  }
}

void check_storages(LaunchState& launch, Device device, Problems& problems) {
  for (std::size_t i = 0; i < launch.tensors.size(); ++i) {
    TensorUse& tensor = launch.tensors[i];
    const runtime::Storage& storage = *launch.storages[i];
    if (storage.device() != device) refuse_device(tensor, storage.device(), device, problems);
    if (storage.ended()) refuse_borrowing(tensor, storage, problems);
    if (tensor.written) check_writable(launch, tensor, storage, problems);
    check_overlaps(launch, i, problems);
  }
}

}  // namespace tw::inline v0::detail
