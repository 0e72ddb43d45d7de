// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include <tilewright/runtime/launch_state.hpp>

#include "core/per_thread.hpp"
#include "runtime/description.hpp"

namespace tw::inline v0::detail {
namespace {

/// States that wait for the next launch of their thread.
class StatePool {
 public:
  [[nodiscard]] LaunchState* take() {
    return count_ == 0 ? new LaunchState : free_[--count_].release();
  }
  void give_back(std::unique_ptr<LaunchState> state) noexcept {
    if (count_ < capacity) free_[count_++] = std::move(state);
  }

 private:
  static constexpr std::size_t capacity = 8;
  std::unique_ptr<LaunchState> free_[capacity];
  std::size_t count_ = 0;
};

void clear(LaunchState& state) noexcept {
  state.kernel = nullptr;
  state.arguments.clear();
  state.tensors.clear();
  state.storages.clear();
  state.constants.clear();
  state.key.clear();
  state.words.clear();
  if (state.hinted) {
    state.hinted = false;
    state.hints = {};
    state.architecture_hints.clear();
  }
  state.deny_device_checks = false;
  state.problems.clear();
}

HostArgument& add_argument(LaunchState& launch, const ParameterType& type) {
  HostArgument& argument = launch.arguments.emplace_back();
  argument.kind = type.kind;
  argument.dtype = type.dtype;
  argument.rank = type.rank;
  argument.first_tensor = static_cast<std::uint32_t>(launch.tensors.size());
  return argument;
}

std::size_t position_of(const LaunchState& launch) { return launch.arguments.size() - 1; }

void note(LaunchState& launch, std::string message) {
  launch.problems.push_back(
      {fmt::format("{} {}", describe(launch.arguments.back(), position_of(launch)), message),
       {},
       {}});
}

// All that a shape holds in place is copied: that is less work than to count the axes. Compilers
// make a few instructions of a memcpy, but a call of a copy that allows for overlaps.
void copy_axes(const Shape& shape, std::int64_t (&axes)[max_rank]) {
  static_assert(Shape::inline_capacity >= max_rank);
  std::memcpy(axes, shape.data(), sizeof(axes));
}

void add_tensor(LaunchState& launch, runtime::StorageRef&& storage, const runtime::Layout& layout,
                bool written) {
  TensorUse& use = launch.tensors.emplace_back();
  use.parameter = static_cast<std::uint16_t>(position_of(launch));
  use.address = memory_of(*storage) + layout.offset;
  use.dtype = layout.dtype;
  use.rank = static_cast<std::int8_t>(layout.rank());
  use.written = written;
  copy_axes(layout.extents, use.extents);
  copy_axes(layout.strides, use.strides);
  launch.storages.push_back(std::move(storage));
}

void add_ids(LaunchState& launch, HostArgument& argument, const RowIds& rows) {
  argument.rows = rows.strength;
  if (rows.strength == RowList::none) return;
  argument.ids = static_cast<std::int32_t>(launch.tensors.size());
  const runtime::Layout layout{DType::int32, {rows.count}, {1}, rows.offset};
  add_tensor(launch, runtime::StorageRef(rows.storage), layout, false);
}

/// Notes extents of a tensor other than those that the parameter's type fixes.
void check_extents(LaunchState& launch, const ParameterType& type, const TensorUse& tensor) {
  if (!type.fixes_extents) return;
  for (int axis = 0; axis < type.rank; ++axis) {
    if (type.extents[axis] >= 0 && tensor.extents[axis] != type.extents[axis]) {
      note(launch, fmt::format("fixes axis {} at {} elements, the tensor has {}", axis,
                               type.extents[axis], tensor.extents[axis]));
    }
  }
}

/// Notes cuts other than the blocks that the parameter's type fixes.
void check_cuts(LaunchState& launch, const ParameterType& type, const HostArgument& argument) {
  if (!type.fixes_extents) return;
  for (int axis = 0; axis < type.rank; ++axis) {
    const Cut& cut = argument.cuts[axis];
    if (type.extents[axis] < 0) continue;
    if (cut.kind == CutKind::whole) {
      note(launch, fmt::format("fixes blocks of {} elements along axis {}, which the partition "
                               "leaves whole",
                               type.extents[axis], axis));
    } else if (cut.size != type.extents[axis]) {
      note(launch, fmt::format("fixes blocks of {} elements along axis {}, the partition has "
                               "blocks of {}",
                               type.extents[axis], axis, cut.size));
    }
  }
}

HostArgument& add_output(LaunchState& launch, const ParameterType& type, const Division& division) {
  HostArgument& argument = add_argument(launch, type);
  for (int axis = 0; axis < type.rank; ++axis) {
    // Member by member, as they were written shortly before: a wider load would wait for that.
    const Cut& cut = division.cuts[static_cast<std::size_t>(axis)];
    argument.cuts[axis].kind = cut.kind;
    argument.cuts[axis].size = cut.size;
  }
  check_cuts(launch, type, argument);
  return argument;
}

}  // namespace

LaunchHandle::LaunchHandle(const KernelInfo& kernel) : state_(nullptr) {
  auto* states = per_thread<StatePool>();
  state_ = states == nullptr ? new LaunchState : states->take();
  state_->kernel = &kernel;
}

void LaunchHandle::give_back() noexcept {
  std::unique_ptr<LaunchState> state(state_);
  clear(*state);
  if (auto* states = per_thread<StatePool>()) states->give_back(std::move(state));
}

void bind_absent(LaunchState& launch, const ParameterType& type) {
  add_argument(launch, type).present = false;
}

void bind_tensor(LaunchState& launch, const ParameterType& type, runtime::StorageRef&& storage,
                 const runtime::Layout& layout) {
  add_argument(launch, type).tensor_count = 1;
  add_tensor(launch, std::move(storage), layout, type.kind == ParameterKind::atomic);
  check_extents(launch, type, launch.tensors.back());
}

void bind_list(LaunchState& launch, const ParameterType& type,
               std::vector<runtime::TensorState> tensors) {
  HostArgument& argument = add_argument(launch, type);
  argument.list = true;
  argument.tensor_count = static_cast<std::uint32_t>(tensors.size());
  for (runtime::TensorState& tensor : tensors) {
    add_tensor(launch, std::move(tensor.storage), tensor.layout, false);
    check_extents(launch, type, launch.tensors.back());
  }
}

void bind_output(LaunchState& launch, const ParameterType& type, runtime::StorageRef&& storage,
                 const runtime::Layout& layout, const Division& division) {
  HostArgument& argument = add_output(launch, type, division);
  argument.tensor_count = 1;
  add_tensor(launch, std::move(storage), layout, true);
  add_ids(launch, argument, division.rows);
}

void bind_output_list(LaunchState& launch, const ParameterType& type,
                      std::span<const runtime::TensorState> tensors, const Division& division) {
  HostArgument& argument = add_output(launch, type, division);
  argument.list = true;
  argument.tensor_count = static_cast<std::uint32_t>(tensors.size());
  for (const runtime::TensorState& tensor : tensors) {
    add_tensor(launch, runtime::StorageRef(tensor.storage), tensor.layout, true);
  }
}

void bind_grid(LaunchState& launch, const ParameterType& type,
               std::span<const std::int64_t> extents) {
  HostArgument& argument = add_argument(launch, type);
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    argument.cuts[axis] = {CutKind::tile, extents[axis]};
    if (extents[axis] < 0 || extents[axis] > std::numeric_limits<std::int32_t>::max()) {
      note(launch, fmt::format("has {} blocks along axis {}: from 0 to 2^31 - 1 are possible",
                               extents[axis], axis));
      argument.cuts[axis].size = 0;
    }
  }
}

void bind_scalar(LaunchState& launch, const ParameterType& type, HostNumber number) {
  add_argument(launch, type).scalar = number.bits;
  if (!number.fits) note(launch, "does not hold the number that was passed");
}

void* bind_constant(LaunchState& launch, std::size_t size, bool fits) {
  HostArgument& argument = add_argument(launch, {.kind = ParameterKind::constant});
  argument.scalar = launch.constants.size();
  const std::size_t units = (size + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t);
  launch.constants.resize(launch.constants.size() + units);
  if (!fits) note(launch, "does not hold the number that was passed");
  return launch.constants.data() + argument.scalar;
}

void bind_refused(LaunchState& launch, const ParameterType& type, const Error& error) {
  add_argument(launch, type).present = false;
  for (Diagnostic diagnostic : error.diagnostics()) {
    diagnostic.message = fmt::format(
        "{}: {}", describe(launch.arguments.back(), position_of(launch)), diagnostic.message);
    launch.problems.push_back(std::move(diagnostic));
  }
}

}  // namespace tw::inline v0::detail
