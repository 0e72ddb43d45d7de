// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <tilewright/core/element.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/core/shape.hpp>
#include <tilewright/runtime/layout.hpp>
#include <tilewright/runtime/storage.hpp>

namespace tw::inline v0::runtime {

/// What every kind of tensor holds: a storage, and where its elements lie there.
struct TensorState {
  StorageRef storage;
  Layout layout;
};

/// The state of a tensor that can be used up, and who used it up, for the message of a later use.
class Ownership {
 public:
  explicit Ownership(TensorState&& state) noexcept : state_(std::move(state)) {}
  explicit Ownership(const TensorState& state) : state_(state) {}
  /// Who used it up moves along.
  Ownership(Ownership&&) noexcept = default;
  Ownership& operator=(Ownership&&) noexcept = default;
  ~Ownership() = default;

  [[nodiscard]] bool held() const noexcept { return static_cast<bool>(state_.storage); }
  /// Throws LaunchError at `where`, with a note on who used it up, when the state is gone.
  [[nodiscard]] const TensorState& get(Location where) const TILEWRIGHT_LIFETIMEBOUND {
    if (!held()) refuse(where);
    return state_;
  }
  /// Takes the state away, which the caller moves from at once. `consumer` completes the note
  /// "taken by ..." and lasts for ever.
  [[nodiscard]] TensorState&& take(const char* consumer, Location where) TILEWRIGHT_LIFETIMEBOUND {
    if (!held()) refuse(where);
    consumer_ = consumer;
    consumed_at_ = where;
    return std::move(state_);
  }

 private:
  [[noreturn]] TILEWRIGHT_API void refuse(Location where) const;

  TensorState state_;
  const char* consumer_ = nullptr;  ///< null when the state left by a plain move
  Location consumed_at_;
};

/// How the runtime reaches into tensors, whatever kind they are of.
struct TensorAccess {
  /// Throws LaunchError when the tensor was used up.
  template <class X>
  [[nodiscard]] static const TensorState& state(const X& tensor, Location where) {
    return tensor.state(where);
  }
  /// Whether the tensor was not used up yet.
  template <class X>
  [[nodiscard]] static bool held(const X& tensor) noexcept {
    return tensor.state_.held();
  }
  /// Uses a tensor up on behalf of `consumer`; see Ownership::take.
  template <class X>
  [[nodiscard]] static TensorState&& take(X& tensor, const char* consumer, Location where) {
    return tensor.state_.take(consumer, where);
  }
  /// The state of a view that is not needed any more.
  template <class X>
  [[nodiscard]] static TensorState hand_over(X& view) {
    return std::move(view.state_);
  }
  /// A tensor of kind `X` that holds `state`, whose type and rank must be those of `X`.
  template <class X, class State = TensorState>
  [[nodiscard]] static X make(State&& state) {
    return X(std::forward<State>(state));
  }
};

/// Something with elements to read: a Tensor, a View, a Shared.
template <class X>
concept readable = requires(const X& tensor, Location where) {
  typename X::element_type;
  { X::rank } -> std::convertible_to<int>;
  { TensorAccess::state(tensor, where) } -> std::same_as<const TensorState&>;
};

template <int R>
inline constexpr bool is_rank = R >= 0 && R <= max_rank;

/// Numbers in braces, such as extents.
template <class Number, std::size_t N>
using Braced = const Number (&)[N];

template <std::size_t N>
[[nodiscard]] Shape shape_of(Braced<std::int64_t, N> extents) {
  return Shape(extents, extents + N);
}

}  // namespace tw::inline v0::runtime
