// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/dsl/per_axis.hpp>

namespace tw::inline v0 {

namespace detail {

/// Stands first in a template head whose types are deduced: nobody can name them.
template <class T>
concept deduced = std::is_void_v<T>;

template <class T, class... E>
auto filled_tile(Number number, Location where, E... extent) {
  using Result = tile_of<T, static_extents<E...>()>;
  return Result(Trusted{filled(number, dtype_of<T>, extents(extent...), where)});
}

}  // namespace detail

/// A tile of zeros: `zeros<float>(m, n)`; without extents a scalar.
template <element T, class A = detail::Omitted, class B = detail::Omitted,
          class C = detail::Omitted, class D = detail::Omitted, class E = detail::Omitted,
          class F = detail::Omitted>
auto zeros(A a = {}, B b = {}, C c = {}, D d = {}, E e = {}, F f = {},
           Location where = Location::current()) {
  return detail::filled_tile<T>(0, where, a, b, c, d, e, f);
}

/// A tile whose elements all are `number`: `full<half>(0.5f, rows, 1)`; without a type argument the
/// tile takes the number's own type.
template <element T, class A = detail::Omitted, class B = detail::Omitted,
          class C = detail::Omitted, class D = detail::Omitted, class E = detail::Omitted,
          class F = detail::Omitted>
auto full(Number number, A a = {}, B b = {}, C c = {}, D d = {}, E e = {}, F f = {},
          Location where = Location::current()) {
  return detail::filled_tile<T>(number, where, a, b, c, d, e, f);
}
template <detail::deduced T = void, element N, class A = detail::Omitted, class B = detail::Omitted,
          class C = detail::Omitted, class D = detail::Omitted, class E = detail::Omitted,
          class F = detail::Omitted>
auto full(N number, A a = {}, B b = {}, C c = {}, D d = {}, E e = {}, F f = {},
          Location where = Location::current()) {
  return detail::filled_tile<N>(number, where, a, b, c, d, e, f);
}

/// 0, 1, ... extent - 1.
template <class E>
auto iota(E extent, Location where = Location::current()) {
  using Result = tile_of<int, detail::static_extents<E>()>;
  return Result(detail::Trusted{detail::iota(static_cast<std::int64_t>(extent), where)});
}

/// The tile stretched to the given extents, axes aligned at the last one: `broadcast_to(x, m, n)`.
template <element T, int... S, class A, class B = detail::Omitted, class C = detail::Omitted,
          class D = detail::Omitted, class E = detail::Omitted, class F = detail::Omitted>
auto broadcast_to(const Tile<T, S...>& x, A a, B b = {}, C c = {}, D d = {}, E e = {}, F f = {},
                  Location where = Location::current()) {
  constexpr auto shape = detail::static_extents<A, B, C, D, E, F>();
  static_assert(dims::stretches(Tile<T, S...>::dims, shape),
                "broadcast_to: only axes of extent one stretch");
  return tile_of<T, shape>(
      detail::Trusted{detail::broadcast(x.ref(), detail::extents(a, b, c, d, e, f), where)});
}

/// The same elements in row-major order under other extents, whose product must not change.
template <element T, int... S, class A = detail::Omitted, class B = detail::Omitted,
          class C = detail::Omitted, class D = detail::Omitted, class E = detail::Omitted,
          class F = detail::Omitted>
auto reshape(const Tile<T, S...>& x, A a = {}, B b = {}, C c = {}, D d = {}, E e = {}, F f = {},
             Location where = Location::current()) {
  constexpr auto shape = detail::static_extents<A, B, C, D, E, F>();
  static_assert(dims::may_have_equal_products(Tile<T, S...>::dims, shape),
                "reshape: the number of elements must not change");
  return tile_of<T, shape>(
      detail::Trusted{detail::reshape(x.ref(), detail::extents(a, b, c, d, e, f), where)});
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
template <element T, int... D>
auto transpose(const Tile<T, D...>& x, Location where = Location::current()) {
  static_assert(sizeof...(D) == 2, "transpose: takes a matrix; permute reorders other axes");
  return tw::permute<1, 0>(x, where);
}

/// The tile without an axis of extent one.
template <int Axis, element T, int... D>
auto squeeze(const Tile<T, D...>& x, Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, sizeof...(D)), "squeeze: the axis is outside the tile's rank");
  static_assert(dims::may_equal(Tile<T, D...>::dims[Axis], 1),
                "squeeze: that axis is not of extent one");
  constexpr auto shape = dims::without(Tile<T, D...>::dims, dims::Array<1>{Axis});
  return tile_of<T, shape>(detail::Trusted{detail::squeeze(x.ref(), Axis, where)});
}

/// The tile with an axis of extent one inserted before `Axis`.
template <int Axis, element T, int... D>
auto unsqueeze(const Tile<T, D...>& x, Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, sizeof...(D) + 1),
                "unsqueeze: the axis is outside the result's rank");
  constexpr auto shape = dims::unsqueezed(Tile<T, D...>::dims, Axis);
  return tile_of<T, shape>(detail::Trusted{detail::unsqueeze(x.ref(), Axis, where)});
}

/// Two tiles one after the other along `Axis`; the sum of their extents must be a power of two.
template <int Axis, element T, int... D, element U, int... E>
auto cat(const Tile<T, D...>& a, const Tile<U, E...>& b, Location where = Location::current()) {
  static_assert(std::is_same_v<T, U>, "cat: the tiles differ in element type");
  static_assert(sizeof...(D) == sizeof...(E), "cat: the tiles differ in rank");
  static_assert(dims::is_axis(Axis, sizeof...(D)), "cat: the axis is outside the tiles' rank");
  constexpr auto left = Tile<T, D...>::dims;
  constexpr auto right = Tile<U, E...>::dims;
  static_assert(dims::may_equal_beside(left, right, Axis), "cat: the other extents differ");
  constexpr auto shape = dims::with(left, Axis, dims::sum(left[Axis], right[Axis]));
  return tile_of<T, shape>(detail::Trusted{detail::cat(a.ref(), b.ref(), Axis, where)});
}

/// Slice number `which` along `Axis`, `extent` wide; the extent must divide the tile's. Any number
/// outside names the slice that it is congruent to.
template <int Axis, element T, int... D, class E>
auto extract(const Tile<T, D...>& x, E extent, const Int& which,
             Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, sizeof...(D)), "extract: the axis is outside the tile's rank");
  constexpr auto shape = dims::with(Tile<T, D...>::dims, Axis, detail::static_extents<E>().front());
  return tile_of<T, shape>(detail::Trusted{
      detail::extract(x.ref(), Axis, detail::extents(extent).front(), which.ref(), where)});
}

/// The tile with slice number `which` along `Axis` replaced by `slice`.
template <int Axis, element T, int... D, element U, int... E>
Tile<T, D...> insert(const Tile<U, E...>& slice, const Tile<T, D...>& into, const Int& which,
                     Location where = Location::current()) {
  static_assert(std::is_same_v<T, U>, "insert: the tiles differ in element type");
  static_assert(sizeof...(D) == sizeof...(E), "insert: the tiles differ in rank");
  static_assert(dims::is_axis(Axis, sizeof...(D)), "insert: the axis is outside the tiles' rank");
  static_assert(dims::may_equal_beside(Tile<T, D...>::dims, Tile<U, E...>::dims, Axis),
                "insert: the other extents differ");
  return Tile<T, D...>(
      detail::Trusted{detail::insert(slice.ref(), into.ref(), Axis, which.ref(), where)});
}

/// The elements of the last axis packed into bytes, the first in the lowest bits.
template <element U, element T, int First, int... D>
auto pack(const Tile<T, First, D...>& x, Location where = Location::current()) {
  static_assert(std::is_same_v<U, std::uint8_t>, "pack: elements are packed into uint8_t");
  constexpr auto shape = dims::with(Tile<T, First, D...>::dims, sizeof...(D), dyn);
  return tile_of<U, shape>(detail::Trusted{detail::pack(x.ref(), where)});
}
/// The bytes of the last axis as elements of another type, the lowest bits first.
template <element U, element T, int First, int... D>
auto unpack(const Tile<T, First, D...>& x, Location where = Location::current()) {
  static_assert(std::is_same_v<T, std::uint8_t>, "unpack: elements are unpacked from uint8_t");
  constexpr auto shape = dims::with(Tile<T, First, D...>::dims, sizeof...(D), dyn);
  return tile_of<U, shape>(detail::Trusted{detail::unpack(x.ref(), dtype_of<U>, where)});
}

/// The one element of a tile of one, as a scalar.
template <element T, int... D>
Scalar<T> item(const Tile<T, D...>& x, Location where = Location::current()) {
  static_assert((dims::may_equal(D, 1) && ...), "item: the tile has more than one element");
  return Scalar<T>(detail::Trusted{detail::item(x.ref(), where)});
}

}  // namespace tw::inline v0
