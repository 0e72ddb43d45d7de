// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <tilewright/core/element.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/tensor.hpp>

namespace tw::inline v0 {

template <element T, int R>
  requires runtime::is_rank<R>
class LentPartition;

/// A tensor, or a part of one, lent to one launch for writing; made by `mut(t)`. The owner keeps
/// the tensor and may use it again at once, in the order of the streams. A loan is used up by the
/// launch, or by one of its own member functions. It lends no more than the owner has when the
/// launch runs: what was shared by then is refused.
template <element T, int R>
  requires runtime::is_rank<R>
class [[nodiscard]] TILEWRIGHT_CONSUMABLE Mut {
 public:
  using element_type = T;
  static constexpr int rank = R;

  TILEWRIGHT_RETURNS_HELD Mut(Mut&&) = default;
  TILEWRIGHT_SETS_HELD Mut& operator=(Mut&&) = default;
  Mut(const Mut&) = delete;
  Mut& operator=(const Mut&) = delete;
  ~Mut() = default;

  /// The extents of all axes.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] const Shape& shape(Location where = Location::current()) const
      TILEWRIGHT_LIFETIMEBOUND {
    return state(where).layout.extents;
  }

  /// The last two axes exchanged.
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Mut transposed(
      Location where = Location::current()) &&
    requires(R >= 2)
  {
    runtime::Layout layout = runtime::transposed(state(where).layout, where);
    return Mut({state_.take("transposed()", where).storage, std::move(layout)});
  }
  /// Axis `a` of the result is axis `axes[a]`. Throws LaunchError unless `axes` is a permutation.
  template <std::size_t N>
    requires(N == R)
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Mut permuted(
      runtime::Braced<int, N> axes, Location where = Location::current()) && {
    runtime::Layout layout = runtime::permuted(state(where).layout, axes, where);
    return Mut({state_.take("permuted()", where).storage, std::move(layout)});
  }
  /// The same elements in the same order under other extents. Throws LaunchError when the sizes
  /// differ or the elements are not in row-major order without gaps.
  template <std::size_t N>
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Mut<T, N> reshape(
      runtime::Braced<std::int64_t, N> extents, Location where = Location::current()) && {
    runtime::Layout layout =
        runtime::reshaped(state(where).layout, runtime::shape_of(extents), where);
    return runtime::TensorAccess::make<Mut<T, N>>(
        {state_.take("reshape()", where).storage, std::move(layout)});
  }
  /// `count` indices of `axis`, from `start`. Throws LaunchError when they are not all inside.
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Mut slice(
      int axis, std::int64_t start, std::int64_t count, Location where = Location::current()) && {
    runtime::Layout layout = runtime::sliced(state(where).layout, axis, start, count, where);
    return Mut({state_.take("slice()", where).storage, std::move(layout)});
  }
  /// The first `count` indices of `axis`, and the others, as two loans that one launch may take.
  /// Throws LaunchError when there are fewer.
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] std::pair<Mut, Mut> split(
      int axis, std::int64_t count, Location where = Location::current()) && {
    auto [first, second] = runtime::split(state(where).layout, axis, count, where);
    runtime::StorageRef storage = state_.take("split()", where).storage;
    return {Mut({storage, std::move(first)}), Mut({storage, std::move(second)})};
  }

  /// Divides the loan into disjoint boxes, one for each block of a launch; see partition.hpp.
  /// Throws LaunchError when a cut is below one.
  template <std::size_t N>
    requires(N == R)
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] LentPartition<T, R> partition(
      runtime::Braced<AxisCut, N> cuts, Location where = Location::current()) &&;
  template <std::size_t N>
    requires(N != R)
  void partition(runtime::Braced<AxisCut, N>) && = delete;  // one cut for each axis of the tensor
  /// The same, but along axis 0 each block owns the rows that its part of `ids` names.
  template <class Ids, std::size_t N>
    requires(N == R)
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] LentPartition<T, R> partition(
      const Ids& ids, runtime::Braced<AxisCut, N> cuts, Location where = Location::current()) &&;

 private:
  friend runtime::TensorAccess;

  TILEWRIGHT_RETURNS_HELD explicit Mut(runtime::TensorState&& state) noexcept
      : state_(std::move(state)) {}
  TILEWRIGHT_RETURNS_HELD explicit Mut(const runtime::TensorState& state) : state_(state) {}

  [[nodiscard]] const runtime::TensorState& state(Location where) const TILEWRIGHT_LIFETIMEBOUND {
    return state_.get(where);
  }

  runtime::Ownership state_;
};

/// Lends a tensor to one launch for writing: the word that shows the write at the call. Throws
/// LaunchError when the tensor was moved away.
template <element T, int R>
[[nodiscard]] Mut<T, R> mut(Tensor<T, R>& tensor, Location where = Location::current()) {
  return runtime::TensorAccess::make<Mut<T, R>>(runtime::TensorAccess::state(tensor, where));
}

/// A temporary cannot be lent, since nobody could read what was written: give it to the launch.
template <element T, int R>
Mut<T, R> mut(Tensor<T, R>&& tensor) = delete;

}  // namespace tw::inline v0
