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

namespace tw::inline v0 {

template <element T, int R>
  requires runtime::is_rank<R>
class Tensor;

/// A tensor to read, of element type `T` and rank `R`, such as a part of another tensor or its
/// transpose. It shares the memory of the tensor it was made from and keeps that alive; its reads
/// are ordered with the writes of the owner. Copies are cheap, and what was moved can still be
/// used.
template <element T, int R>
  requires runtime::is_rank<R>
class View {
 public:
  using element_type = T;
  static constexpr int rank = R;

  /// The whole of a tensor. Throws LaunchError when that was moved away.
  View(const Tensor<T, R>& tensor,  // NOLINT(google-explicit-constructor)
       Location where = Location::current());
  View(const View&) = default;
  View(View&& other) noexcept : state_{other.state_.storage.pass_on(), other.state_.layout} {}
  View& operator=(const View&) = default;
  View& operator=(View&& other) noexcept {
    state_ = {other.state_.storage.pass_on(), other.state_.layout};
    return *this;
  }
  ~View() = default;

  /// The extent of one axis. Throws LaunchError unless `axis` is below the rank.
  [[nodiscard]] std::int64_t extent(int axis, Location where = Location::current()) const {
    return state_.layout.extents[runtime::checked_axis(axis, R, where)];
  }
  /// The extents of all axes.
  [[nodiscard]] const Shape& shape() const noexcept TILEWRIGHT_LIFETIMEBOUND {
    return state_.layout.extents;
  }
  /// The distances between neighbours along each axis, in elements.
  [[nodiscard]] const Shape& strides() const noexcept TILEWRIGHT_LIFETIMEBOUND {
    return state_.layout.strides;
  }
  /// The number of elements.
  [[nodiscard]] std::int64_t size() const noexcept { return state_.layout.size(); }
  [[nodiscard]] Device device() const noexcept { return state_.storage->device(); }

  /// The last two axes exchanged.
  [[nodiscard]] View transposed(Location where = Location::current()) const
    requires(R >= 2)
  {
    return View({state_.storage, runtime::transposed(state_.layout, where)});
  }
  /// Axis `a` of the result is axis `axes[a]`. Throws LaunchError unless `axes` is a permutation.
  template <std::size_t N>
    requires(N == R)
  [[nodiscard]] View permuted(runtime::Braced<int, N> axes,
                              Location where = Location::current()) const {
    return View({state_.storage, runtime::permuted(state_.layout, axes, where)});
  }
  /// The same elements in the same order under other extents. Throws LaunchError when the sizes
  /// differ or the elements are not in row-major order without gaps: `clone` makes them so.
  template <std::size_t N>
  [[nodiscard]] View<T, N> reshape(runtime::Braced<std::int64_t, N> extents,
                                   Location where = Location::current()) const {
    return View<T, N>(
        {state_.storage, runtime::reshaped(state_.layout, runtime::shape_of(extents), where)});
  }
  /// `count` indices of `axis`, from `start`. Throws LaunchError when they are not all inside.
  [[nodiscard]] View slice(int axis, std::int64_t start, std::int64_t count,
                           Location where = Location::current()) const {
    return View({state_.storage, runtime::sliced(state_.layout, axis, start, count, where)});
  }
  /// The first `count` indices of `axis`, and the others. Throws LaunchError when there are fewer.
  [[nodiscard]] std::pair<View, View> split(int axis, std::int64_t count,
                                            Location where = Location::current()) const {
    auto [first, second] = runtime::split(state_.layout, axis, count, where);
    return {View({state_.storage, std::move(first)}), View({state_.storage, std::move(second)})};
  }
  /// Axes of extent one repeated, and new axes in front, all with stride zero. Throws LaunchError
  /// when another extent would change.
  template <std::size_t N>
  [[nodiscard]] View<T, N> expanded(runtime::Braced<std::int64_t, N> extents,
                                    Location where = Location::current()) const {
    return View<T, N>(
        {state_.storage, runtime::expanded(state_.layout, runtime::shape_of(extents), where)});
  }

 protected:
  explicit View(runtime::TensorState state) noexcept : state_(std::move(state)) {}

 private:
  friend runtime::TensorAccess;
  template <element, int Rank>
    requires runtime::is_rank<Rank>
  friend class View;

  [[nodiscard]] const runtime::TensorState& state(Location) const noexcept { return state_; }

  runtime::TensorState state_;
};

/// A tensor that nobody writes any more: made by `std::move(tensor).share()`, from then on
/// read-only for ever. Copies are cheap; it may be used from several threads.
template <element T, int R>
  requires runtime::is_rank<R>
class Shared : public View<T, R> {
 private:
  friend runtime::TensorAccess;
  using View<T, R>::View;
};

}  // namespace tw::inline v0
