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

  /// Makes the variable name `next`, or notes an error when it has another shape.
  void assign(const TileRef& next, Location where);

 private:
  friend class Slots;
  struct Sentinel {};
  explicit Slot(Sentinel) : previous_(this), next_(this) {}

  TileRef* tile_ = nullptr;
  std::uint32_t number_ = 0;  ///< of this variable in its trace
  std::uint32_t region_ = 0;  ///< of the trace, with which its value ends
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

  // Every assignment takes the way that knows its line, that of one variable to another included.
  Var& operator=(const Var& other)
    requires false
  = delete;
  Var& operator=(detail::At<Tile<T, D...>> next) {
    slot_.assign(next.value.ref(), next.where);
    return *this;
  }
  template <class V>
    requires(!std::is_convertible_v<const V&, Tile<T, D...>>)
  Var& operator=(const V&) {
    static_assert(std::is_same_v<V, Tile<T, D...>>,
                  "a variable keeps its element type and shape: convert with as<T>(x), or declare "
                  "another one");
    return *this;
  }
  template <class X>
  void operator+=(const X&) = delete;  // write x = x + y
  template <class X>
  void operator-=(const X&) = delete;  // write x = x - y
  template <class X>
  void operator*=(const X&) = delete;  // write x = x * y
  template <class X>
  void operator/=(const X&) = delete;  // write x = x / y

 private:
  detail::Slot slot_;
};
template <class T, int... D>
Var(Tile<T, D...>) -> Var<Tile<T, D...>>;

}  // namespace tw::inline v0
