// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <tilewright/core/element.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/core/shape.hpp>
#include <tilewright/runtime/device.hpp>
#include <tilewright/runtime/tensor_state.hpp>
#include <tilewright/runtime/view.hpp>

namespace tw::inline v0 {

class AxisCut;
class Rows;
template <element T, int R>
  requires runtime::is_rank<R>
class Partition;

/// A tensor of element type `T` and rank `R` (0 to 6) in the memory of a device, with one owner:
/// what kernels write. Extents and strides are 64-bit, strides in elements.
///
/// Kernels read it where it stands. They write it after `std::move(t).partition(...)`, which gives
/// it to a launch that gives it back, or through `mut(t)`, which lends it. Dropping it never
/// blocks, and its memory lasts until all work in flight on it is done.
///
/// A tensor that was moved away holds nothing; every use of it throws LaunchError, which names the
/// line of the use and the place that took the tensor. Member functions of an rvalue take the
/// tensor over, those of an lvalue give views that share its memory.
template <element T, int R>
  requires runtime::is_rank<R>
class [[nodiscard]] TILEWRIGHT_CONSUMABLE Tensor {
 public:
  using element_type = T;
  static constexpr int rank = R;

  TILEWRIGHT_RETURNS_HELD Tensor(Tensor&&) = default;
  TILEWRIGHT_SETS_HELD Tensor& operator=(Tensor&&) = default;
  /// Memory that two tensors could write would not be safe: `clone` copies, a view reads.
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() = default;

  /// The extent of one axis. Throws LaunchError unless `axis` is below the rank.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] std::int64_t extent(
      int axis, Location where = Location::current()) const {
    return shape(where)[runtime::checked_axis(axis, R, where)];
  }
  /// The extents of all axes.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] const Shape& shape(Location where = Location::current()) const
      TILEWRIGHT_LIFETIMEBOUND {
    return state(where).layout.extents;
  }
  /// The distances between neighbours along each axis, in elements.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] const Shape& strides(
      Location where = Location::current()) const TILEWRIGHT_LIFETIMEBOUND {
    return state(where).layout.strides;
  }
  /// The number of elements.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] std::int64_t size(
      Location where = Location::current()) const {
    return state(where).layout.size();
  }
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] Device device(Location where = Location::current()) const {
    return state(where).storage->device();
  }

  /// Makes the tensor read-only for ever. Of a part of another tensor, that part: loans, partitions
  /// and launches of it that were made before are refused once they run, with both lines, while
  /// what has no element in common with the part may still be written.
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Shared<T, R> share(
      Location where = Location::current()) && {
    runtime::TensorState state = state_.take("share()", where);
    state.storage->freeze(state.layout, where);
    return runtime::TensorAccess::make<Shared<T, R>>(std::move(state));
  }

  /// The last two axes exchanged.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] View<T, R> transposed(
      Location where = Location::current()) const&
    requires(R >= 2)
  {
    return View<T, R>(*this, where).transposed(where);
  }
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Tensor transposed(
      Location where = Location::current()) &&
    requires(R >= 2)
  {
    runtime::Layout layout = runtime::transposed(state(where).layout, where);
    return Tensor({state_.take("transposed()", where).storage, std::move(layout)});
  }

  /// Axis `a` of the result is axis `axes[a]`. Throws LaunchError unless `axes` is a permutation.
  template <std::size_t N>
    requires(N == R)
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] View<T, R> permuted(
      runtime::Braced<int, N> axes, Location where = Location::current()) const& {
    return View<T, R>(*this, where).permuted(axes, where);
  }
  template <std::size_t N>
    requires(N == R)
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Tensor permuted(
      runtime::Braced<int, N> axes, Location where = Location::current()) && {
    runtime::Layout layout = runtime::permuted(state(where).layout, axes, where);
    return Tensor({state_.take("permuted()", where).storage, std::move(layout)});
  }

  /// The same elements in the same order under other extents. Throws LaunchError when the sizes
  /// differ or the elements are not in row-major order without gaps: `clone` makes them so.
  template <std::size_t N>
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] View<T, N> reshape(
      runtime::Braced<std::int64_t, N> extents, Location where = Location::current()) const& {
    return View<T, R>(*this, where).reshape(extents, where);
  }
  template <std::size_t N>
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Tensor<T, N> reshape(
      runtime::Braced<std::int64_t, N> extents, Location where = Location::current()) && {
    runtime::Layout layout =
        runtime::reshaped(state(where).layout, runtime::shape_of(extents), where);
    return runtime::TensorAccess::make<Tensor<T, N>>(
        {state_.take("reshape()", where).storage, std::move(layout)});
  }

  /// `count` indices of `axis`, from `start`. Throws LaunchError when they are not all inside.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] View<T, R> slice(
      int axis, std::int64_t start, std::int64_t count,
      Location where = Location::current()) const& {
    return View<T, R>(*this, where).slice(axis, start, count, where);
  }
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Tensor slice(
      int axis, std::int64_t start, std::int64_t count, Location where = Location::current()) && {
    runtime::Layout layout = runtime::sliced(state(where).layout, axis, start, count, where);
    return Tensor({state_.take("slice()", where).storage, std::move(layout)});
  }

  /// The first `count` indices of `axis`, and the others. Throws LaunchError when there are fewer.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] std::pair<View<T, R>, View<T, R>> split(
      int axis, std::int64_t count, Location where = Location::current()) const& {
    return View<T, R>(*this, where).split(axis, count, where);
  }
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] std::pair<Tensor, Tensor> split(
      int axis, std::int64_t count, Location where = Location::current()) && {
    auto [first, second] = runtime::split(state(where).layout, axis, count, where);
    runtime::StorageRef storage = state_.take("split()", where).storage;
    return {Tensor({storage.twin(), std::move(first)}),
            Tensor({std::move(storage), std::move(second)})};
  }

  /// Axes of extent one repeated, and new axes in front, all with stride zero: a view in any case,
  /// since several of its elements are one. Throws LaunchError when another extent would change.
  template <std::size_t N>
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] View<T, N> expanded(
      runtime::Braced<std::int64_t, N> extents, Location where = Location::current()) const {
    return View<T, R>(*this, where).expanded(extents, where);
  }

  /// Divides the tensor into disjoint boxes, one for each block of a launch; see partition.hpp.
  /// Throws LaunchError when a cut is below one.
  template <std::size_t N>
    requires(N == R)
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Partition<T, R> partition(
      runtime::Braced<AxisCut, N> cuts, Location where = Location::current()) &&;
  /// The same, but along axis 0 each block owns the rows that its part of `ids` names: a tensor or
  /// view of ids, or a `Rows` certificate.
  template <class Ids, std::size_t N>
    requires(N == R)
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Partition<T, R> partition(
      const Ids& ids, runtime::Braced<AxisCut, N> cuts, Location where = Location::current()) &&;
  template <std::size_t N>
    requires(N != R)
  void partition(runtime::Braced<AxisCut, N>) && = delete;  // one cut for each axis of the tensor
  template <std::size_t N>
  void partition(runtime::Braced<AxisCut, N>) & = delete;  // write std::move(t) or mut(t)
  template <class Ids, std::size_t N>
  void partition(const Ids&, runtime::Braced<AxisCut, N>) & = delete;  // std::move(t) or mut(t)

 private:
  friend runtime::TensorAccess;

  TILEWRIGHT_RETURNS_HELD explicit Tensor(runtime::TensorState&& state) noexcept
      : state_(std::move(state)) {}

  [[nodiscard]] const runtime::TensorState& state(Location where) const TILEWRIGHT_LIFETIMEBOUND {
    return state_.get(where);
  }

  runtime::Ownership state_;
};

template <element T, int R>
  requires runtime::is_rank<R>
View<T, R>::View(const Tensor<T, R>& tensor, Location where)
    : state_(runtime::TensorAccess::state(tensor, where)) {}

}  // namespace tw::inline v0
