// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/dsl/tile.hpp>

namespace tw::inline v0 {

namespace detail {

/// Ties one variable to the trace, so that loops and branches find every variable alive.
class TILEWRIGHT_API Slot {
 public:
  Slot(TileRef& tile, Location where);
  ~Slot();
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  /// Makes the variable name `next`, or notes an error, at the line that made it, when it has
  /// another shape.
  void assign(const TileRef& next);

 private:
  friend class Slots;
  struct Sentinel {};
  explicit Slot(Sentinel) : previous_(this), next_(this) {}

  TileRef* tile_ = nullptr;
  Slot* previous_;
  Slot* next_;
};

}  // namespace detail

template <class>
class Var;

/// A variable of a kernel: assignable, and carried by every device loop or branch that updates it.
///
///     Var total = zeros<float>(n);
///     for (Int i : range(count)) total = total + x(i);
template <class T, int... D>
class Var<Tile<T, D...>> : public Tile<T, D...> {
 public:
  Var(const Tile<T, D...>& start,  // NOLINT(google-explicit-constructor)
      Location where = Location::current())
      : Tile<T, D...>(start), slot_(this->ref_, where) {}
  Var(const Var& other, Location where = Location::current())
      : Var(static_cast<const Tile<T, D...>&>(other), where) {}

  Var& operator=(const Var& other) {
    slot_.assign(other.ref());
    return *this;
  }
  template <class V>
    requires(std::is_convertible_v<const V&, Tile<T, D...>> && !number_like<V>)
  Var& operator=(const V& next) {
    slot_.assign(next.ref());
    return *this;
  }
  Var& operator=(detail::At<Number> next)
    requires(sizeof...(D) == 0)
  {
    slot_.assign(detail::constant(next.value, dtype_of<T>, next.where));
    return *this;
  }

 private:
  detail::Slot slot_;
};
template <class T, int... D>
Var(Tile<T, D...>) -> Var<Tile<T, D...>>;

}  // namespace tw::inline v0
