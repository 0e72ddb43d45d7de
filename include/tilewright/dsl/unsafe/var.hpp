// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/dsl/unsafe/access.hpp>
#include <tilewright/dsl/var.hpp>

namespace tw::inline v0 {

namespace unsafe {

template <class V>
inline constexpr bool is_carried = false;
template <>
inline constexpr bool is_carried<OrderToken> = true;
template <element T, int... D>
inline constexpr bool is_carried<Pointer<T, D...>> = true;

/// What loops and branches carry besides tiles: addresses and tokens, but no views.
template <class V>
concept carried = is_carried<V>;

}  // namespace unsafe

/// A variable that holds addresses or a token.
template <unsafe::carried V>
class Var<V> : public V {
 public:
  Var(const V& start,  // NOLINT(google-explicit-constructor)
      Location where = Location::current())
      : V(start), slot_(this->ref_, where) {}
  Var(const Var& other, Location where = Location::current())
      : Var(static_cast<const V&>(other), where) {}

  // As with tiles, every assignment takes the way that knows its line.
  Var& operator=(const Var& other)
    requires false
  = delete;
  Var& operator=(detail::At<V> next) {
    slot_.assign(next.value.ref(), next.where);
    return *this;
  }

 private:
  detail::Slot slot_;
};
template <unsafe::carried V>
Var(V) -> Var<V>;

}  // namespace tw::inline v0
