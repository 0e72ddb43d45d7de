// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/dsl/tile.hpp>

namespace tw::inline v0 {

namespace detail {

template <class E>
concept extent_like = std::is_convertible_v<E, int> && !std::is_floating_point_v<E>;

/// Stands first in a template head whose types are deduced: nobody can name them.
template <class T>
concept deduced = std::is_void_v<T>;

}  // namespace detail

namespace detail {

template <class T, extent_like... E>
auto filled_tile(Number number, Location where, E... extents) {
  return Tile<T, static_extent<E>...>(
      Trusted{filled(number, dtype_of<T>, Shape{static_cast<int>(extents)...}, where)});
}
template <class T, int... D, extent_like... E>
auto broadcast_tile(const Tile<T, D...>& x, Location where, E... extents) {
  return Tile<T, static_extent<E>...>(
      Trusted{broadcast(x.ref(), Shape{static_cast<int>(extents)...}, where)});
}
template <class T, int... D, extent_like... E>
auto reshaped_tile(const Tile<T, D...>& x, Location where, E... extents) {
  return Tile<T, static_extent<E>...>(
      Trusted{reshape(x.ref(), Shape{static_cast<int>(extents)...}, where)});
}

}  // namespace detail

// The functions below take one to six extents. Each rank is an overload of its own because the
// user's line, a defaulted argument, cannot follow a parameter pack.

/// A tile of zeros: `zeros<float>(m, n)`.
template <element T, detail::extent_like A>
auto zeros(A a, Location where = Location::current()) {
  return detail::filled_tile<T>(0, where, a);
}
template <element T, detail::extent_like A, detail::extent_like B>
auto zeros(A a, B b, Location where = Location::current()) {
  return detail::filled_tile<T>(0, where, a, b);
}
template <element T, detail::extent_like A, detail::extent_like B, detail::extent_like C>
auto zeros(A a, B b, C c, Location where = Location::current()) {
  return detail::filled_tile<T>(0, where, a, b, c);
}
template <element T, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D>
auto zeros(A a, B b, C c, D d, Location where = Location::current()) {
  return detail::filled_tile<T>(0, where, a, b, c, d);
}
template <element T, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D, detail::extent_like E>
auto zeros(A a, B b, C c, D d, E e, Location where = Location::current()) {
  return detail::filled_tile<T>(0, where, a, b, c, d, e);
}
template <element T, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D, detail::extent_like E, detail::extent_like F>
auto zeros(A a, B b, C c, D d, E e, F f, Location where = Location::current()) {
  return detail::filled_tile<T>(0, where, a, b, c, d, e, f);
}

/// A tile whose elements all are `number`: `full<half>(0.5f, rows, 1)`; without a type argument the
/// tile takes the number's own type.
template <element T, detail::extent_like A>
auto full(Number number, A a, Location where = Location::current()) {
  return detail::filled_tile<T>(number, where, a);
}
template <element T, detail::extent_like A, detail::extent_like B>
auto full(Number number, A a, B b, Location where = Location::current()) {
  return detail::filled_tile<T>(number, where, a, b);
}
template <element T, detail::extent_like A, detail::extent_like B, detail::extent_like C>
auto full(Number number, A a, B b, C c, Location where = Location::current()) {
  return detail::filled_tile<T>(number, where, a, b, c);
}
template <element T, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D>
auto full(Number number, A a, B b, C c, D d, Location where = Location::current()) {
  return detail::filled_tile<T>(number, where, a, b, c, d);
}
template <element T, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D, detail::extent_like E>
auto full(Number number, A a, B b, C c, D d, E e, Location where = Location::current()) {
  return detail::filled_tile<T>(number, where, a, b, c, d, e);
}
template <element T, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D, detail::extent_like E, detail::extent_like F>
auto full(Number number, A a, B b, C c, D d, E e, F f, Location where = Location::current()) {
  return detail::filled_tile<T>(number, where, a, b, c, d, e, f);
}
template <detail::deduced T = void, element N, detail::extent_like A>
auto full(N number, A a, Location where = Location::current()) {
  return detail::filled_tile<N>(number, where, a);
}
template <detail::deduced T = void, element N, detail::extent_like A, detail::extent_like B>
auto full(N number, A a, B b, Location where = Location::current()) {
  return detail::filled_tile<N>(number, where, a, b);
}
template <detail::deduced T = void, element N, detail::extent_like A, detail::extent_like B,
          detail::extent_like C>
auto full(N number, A a, B b, C c, Location where = Location::current()) {
  return detail::filled_tile<N>(number, where, a, b, c);
}
template <detail::deduced T = void, element N, detail::extent_like A, detail::extent_like B,
          detail::extent_like C, detail::extent_like D>
auto full(N number, A a, B b, C c, D d, Location where = Location::current()) {
  return detail::filled_tile<N>(number, where, a, b, c, d);
}
template <detail::deduced T = void, element N, detail::extent_like A, detail::extent_like B,
          detail::extent_like C, detail::extent_like D, detail::extent_like E>
auto full(N number, A a, B b, C c, D d, E e, Location where = Location::current()) {
  return detail::filled_tile<N>(number, where, a, b, c, d, e);
}
template <detail::deduced T = void, element N, detail::extent_like A, detail::extent_like B,
          detail::extent_like C, detail::extent_like D, detail::extent_like E,
          detail::extent_like F>
auto full(N number, A a, B b, C c, D d, E e, F f, Location where = Location::current()) {
  return detail::filled_tile<N>(number, where, a, b, c, d, e, f);
}

/// 0, 1, ... extent - 1.
template <detail::extent_like E>
auto iota(E extent, Location where = Location::current()) {
  return Tile<int, detail::static_extent<E>>(
      detail::Trusted{detail::iota(static_cast<int>(extent), where)});
}

/// The tile stretched to the given extents, axes aligned at the last one: `broadcast_to(x, m, n)`.
template <element T, int... S, detail::extent_like A>
auto broadcast_to(const Tile<T, S...>& x, A a, Location where = Location::current()) {
  return detail::broadcast_tile(x, where, a);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B>
auto broadcast_to(const Tile<T, S...>& x, A a, B b, Location where = Location::current()) {
  return detail::broadcast_tile(x, where, a, b);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B, detail::extent_like C>
auto broadcast_to(const Tile<T, S...>& x, A a, B b, C c, Location where = Location::current()) {
  return detail::broadcast_tile(x, where, a, b, c);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D>
auto broadcast_to(const Tile<T, S...>& x, A a, B b, C c, D d,
                  Location where = Location::current()) {
  return detail::broadcast_tile(x, where, a, b, c, d);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D, detail::extent_like E>
auto broadcast_to(const Tile<T, S...>& x, A a, B b, C c, D d, E e,
                  Location where = Location::current()) {
  return detail::broadcast_tile(x, where, a, b, c, d, e);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D, detail::extent_like E, detail::extent_like F>
auto broadcast_to(const Tile<T, S...>& x, A a, B b, C c, D d, E e, F f,
                  Location where = Location::current()) {
  return detail::broadcast_tile(x, where, a, b, c, d, e, f);
}

/// The same elements in row-major order under other extents, whose product must not change.
template <element T, int... S, detail::extent_like A>
auto reshape(const Tile<T, S...>& x, A a, Location where = Location::current()) {
  return detail::reshaped_tile(x, where, a);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B>
auto reshape(const Tile<T, S...>& x, A a, B b, Location where = Location::current()) {
  return detail::reshaped_tile(x, where, a, b);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B, detail::extent_like C>
auto reshape(const Tile<T, S...>& x, A a, B b, C c, Location where = Location::current()) {
  return detail::reshaped_tile(x, where, a, b, c);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D>
auto reshape(const Tile<T, S...>& x, A a, B b, C c, D d, Location where = Location::current()) {
  return detail::reshaped_tile(x, where, a, b, c, d);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D, detail::extent_like E>
auto reshape(const Tile<T, S...>& x, A a, B b, C c, D d, E e,
             Location where = Location::current()) {
  return detail::reshaped_tile(x, where, a, b, c, d, e);
}
template <element T, int... S, detail::extent_like A, detail::extent_like B, detail::extent_like C,
          detail::extent_like D, detail::extent_like E, detail::extent_like F>
auto reshape(const Tile<T, S...>& x, A a, B b, C c, D d, E e, F f,
             Location where = Location::current()) {
  return detail::reshaped_tile(x, where, a, b, c, d, e, f);
}

/// Axis k of the result is axis `P[k]` of the tile: `permute<2, 0, 1>(x)`.
template <int... P, element T, int... D>
auto permute(const Tile<T, D...>& x, Location where = Location::current()) {
  static_assert(sizeof...(P) == sizeof...(D), "permute: name every axis of the tile once");
  constexpr dims::Array<sizeof...(P)> order{P...};
  static_assert(dims::is_permutation(order), "permute: name every axis of the tile once");
  constexpr auto shape = dims::permuted(Tile<T, D...>::dims, order);
  return tile_of<T, shape>(detail::Trusted{detail::permute(x.ref(), order, where)});
}

/// Rows become columns.
template <element T, int M, int N>
Tile<T, N, M> transpose(const Tile<T, M, N>& x, Location where = Location::current()) {
  return tw::permute<1, 0>(x, where);
}

/// The tile without an axis of extent one.
template <int Axis, element T, int... D>
auto squeeze(const Tile<T, D...>& x, Location where = Location::current()) {
  static_assert(Axis >= 0 && Axis < static_cast<int>(sizeof...(D)),
                "squeeze: the axis is outside the tile's rank");
  static_assert(dims::may_equal(Tile<T, D...>::dims[static_cast<std::size_t>(Axis)], 1),
                "squeeze: that axis is not of extent one");
  constexpr auto shape = dims::without(Tile<T, D...>::dims, dims::Array<1>{Axis});
  return tile_of<T, shape>(detail::Trusted{detail::squeeze(x.ref(), Axis, where)});
}

/// The tile with an axis of extent one inserted before `Axis`.
template <int Axis, element T, int... D>
auto unsqueeze(const Tile<T, D...>& x, Location where = Location::current()) {
  static_assert(Axis >= 0 && Axis <= static_cast<int>(sizeof...(D)),
                "unsqueeze: the axis is outside the result's rank");
  constexpr auto shape = dims::unsqueezed(Tile<T, D...>::dims, Axis);
  return tile_of<T, shape>(detail::Trusted{detail::unsqueeze(x.ref(), Axis, where)});
}

/// Two tiles one after the other along `Axis`; the sum of their extents must be a power of two.
template <int Axis, element T, int... D, int... E>
auto cat(const Tile<T, D...>& a, const Tile<T, E...>& b, Location where = Location::current()) {
  static_assert(sizeof...(D) == sizeof...(E), "cat: the tiles differ in rank");
  constexpr auto axis = static_cast<std::size_t>(Axis);
  constexpr int sum = Tile<T, D...>::dims[axis] == dyn || Tile<T, E...>::dims[axis] == dyn
                          ? dyn
                          : Tile<T, D...>::dims[axis] + Tile<T, E...>::dims[axis];
  constexpr auto shape = dims::with(Tile<T, D...>::dims, Axis, sum);
  return tile_of<T, shape>(detail::Trusted{detail::cat(a.ref(), b.ref(), Axis, where)});
}

/// Slice number `which` along `Axis`, `extent` wide; the extent must divide the tile's.
template <int Axis, element T, int... D, detail::extent_like E>
auto extract(const Tile<T, D...>& x, E extent, detail::At<Int> which) {
  constexpr auto shape = dims::with(Tile<T, D...>::dims, Axis, detail::static_extent<E>);
  return tile_of<T, shape>(detail::Trusted{
      detail::extract(x.ref(), Axis, static_cast<int>(extent), which.value.ref(), which.where)});
}

/// The tile with slice number `which` along `Axis` replaced by `slice`.
template <int Axis, element T, int... D, int... E>
Tile<T, D...> insert(const Tile<T, E...>& slice, const Tile<T, D...>& into, detail::At<Int> which) {
  static_assert(sizeof...(D) == sizeof...(E), "insert: the tiles differ in rank");
  return Tile<T, D...>(detail::Trusted{
      detail::insert(slice.ref(), into.ref(), Axis, which.value.ref(), which.where)});
}

/// The elements of the last axis packed into bytes, the first in the lowest bits.
template <element U, element T, int... D>
  requires std::is_same_v<U, std::uint8_t>
auto pack(const Tile<T, D...>& x, Location where = Location::current()) {
  constexpr auto shape = dims::with(Tile<T, D...>::dims, static_cast<int>(sizeof...(D)) - 1, dyn);
  return tile_of<U, shape>(detail::Trusted{detail::pack(x.ref(), where)});
}
/// The bytes of the last axis as elements of another type, the lowest bits first.
template <element U, int... D>
auto unpack(const Tile<std::uint8_t, D...>& x, Location where = Location::current()) {
  constexpr auto shape =
      dims::with(Tile<std::uint8_t, D...>::dims, static_cast<int>(sizeof...(D)) - 1, dyn);
  return tile_of<U, shape>(detail::Trusted{detail::unpack(x.ref(), dtype_of<U>, where)});
}

/// The one element of a tile of one, as a scalar.
template <element T, int... D>
Scalar<T> item(const Tile<T, D...>& x, Location where = Location::current()) {
  static_assert((dims::may_equal(D, 1) && ...), "item: the tile has more than one element");
  return Scalar<T>(detail::Trusted{detail::item(x.ref(), where)});
}

}  // namespace tw::inline v0
