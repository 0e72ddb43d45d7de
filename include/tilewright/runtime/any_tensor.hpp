// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <tilewright/core/element.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/tensor.hpp>
#include <tilewright/runtime/view.hpp>

namespace tw::inline v0 {

/// A tensor, or a view of one, whose element type and rank are known at run time only.
class [[nodiscard]] TILEWRIGHT_CONSUMABLE AnyTensor {
 public:
  /// Takes a tensor over.
  template <element T, int R>
  TILEWRIGHT_RETURNS_HELD AnyTensor(Tensor<T, R>&& tensor,  // NOLINT(google-explicit-constructor)
                                    Location where = Location::current())
      : state_(runtime::TensorAccess::take(tensor, "AnyTensor", where)), read_only_(false) {}
  /// A tensor to read.
  template <element T, int R>
  TILEWRIGHT_RETURNS_HELD AnyTensor(View<T, R> view)  // NOLINT(google-explicit-constructor)
      : state_(runtime::TensorAccess::hand_over(view)), read_only_(true) {}
  TILEWRIGHT_RETURNS_HELD AnyTensor(runtime::TensorState state, bool read_only) noexcept
      : state_(std::move(state)), read_only_(read_only) {}

  TILEWRIGHT_RETURNS_HELD AnyTensor(AnyTensor&&) = default;
  TILEWRIGHT_SETS_HELD AnyTensor& operator=(AnyTensor&&) = default;
  AnyTensor(const AnyTensor&) = delete;
  AnyTensor& operator=(const AnyTensor&) = delete;
  ~AnyTensor() = default;

  TILEWRIGHT_NEEDS_HELD [[nodiscard]] DType dtype(Location where = Location::current()) const {
    return state(where).layout.dtype;
  }
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] int rank(Location where = Location::current()) const {
    return state(where).layout.rank();
  }
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] const Shape& shape(Location where = Location::current()) const
      TILEWRIGHT_LIFETIMEBOUND {
    return state(where).layout.extents;
  }
  /// In elements.
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] const Shape& strides(
      Location where = Location::current()) const TILEWRIGHT_LIFETIMEBOUND {
    return state(where).layout.strides;
  }
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] Device device(Location where = Location::current()) const {
    return state(where).storage->device();
  }
  /// Whether it came from a view, and can only be read.
  [[nodiscard]] bool read_only() const noexcept { return read_only_; }

  /// The tensor with its static type. Throws LaunchError when element type or rank differ or it may
  /// only be read; this then keeps it.
  template <element T, int R>
  TILEWRIGHT_NEEDS_HELD TILEWRIGHT_SETS_CONSUMED [[nodiscard]] Tensor<T, R> as(
      Location where = Location::current()) && {
    check(dtype_of<T>, R, true, where);
    return runtime::TensorAccess::make<Tensor<T, R>>(state_.take("as()", where));
  }
  /// A view with its static type. Throws LaunchError when element type or rank differ.
  template <element T, int R>
  TILEWRIGHT_NEEDS_HELD [[nodiscard]] View<T, R> view(Location where = Location::current()) const {
    check(dtype_of<T>, R, false, where);
    return runtime::TensorAccess::make<View<T, R>>(state(where));
  }

 private:
  friend runtime::TensorAccess;

  [[nodiscard]] const runtime::TensorState& state(Location where) const TILEWRIGHT_LIFETIMEBOUND {
    return state_.get(where);
  }
  TILEWRIGHT_API void check(DType dtype, int rank, bool to_write, Location where) const;

  runtime::Ownership state_;
  bool read_only_;
};

}  // namespace tw::inline v0
