// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include <tilewright/dsl/tile.hpp>

namespace tw::inline v0 {

namespace detail {

template <element T, int... D>
Tile<T, D...> apply(Unary op, const Tile<T, D...>& x, const FloatOptions& options, Location where) {
  return Tile<T, D...>(Trusted{unary(op, x.ref(), options, where)});
}
template <element T, int... D, element U, int... E>
auto apply(Binary op, const Tile<T, D...>& a, const Tile<U, E...>& b, const FloatOptions& options,
           Location where) {
  static_assert(std::is_same_v<T, U>, "operands differ in element type: convert one with as<T>(x)");
  constexpr auto shape = dims::broadcast(Tile<T, D...>::dims, Tile<U, E...>::dims);
  static_assert(dims::fits(shape), "tile shapes do not broadcast");
  return tile_of<T, shape>(Trusted{binary(op, a.ref(), b.ref(), options, where)});
}

}  // namespace detail

// Unary functions. Each works element by element on floating-point tiles; `abs` also on integers.
#define TILEWRIGHT_UNARY(NAME)                                          \
  template <element T, int... D>                                        \
  Tile<T, D...> NAME(const Tile<T, D...>& x, FloatOptions options = {}, \
                     Location where = Location::current()) {            \
    return detail::apply(detail::Unary::NAME, x, options, where);       \
  }
TILEWRIGHT_UNARY(abs)
TILEWRIGHT_UNARY(ceil)
TILEWRIGHT_UNARY(floor)
TILEWRIGHT_UNARY(exp)
TILEWRIGHT_UNARY(exp2)
TILEWRIGHT_UNARY(log)
TILEWRIGHT_UNARY(log2)
TILEWRIGHT_UNARY(sqrt)
TILEWRIGHT_UNARY(rsqrt)
TILEWRIGHT_UNARY(sin)
TILEWRIGHT_UNARY(cos)
TILEWRIGHT_UNARY(tan)
TILEWRIGHT_UNARY(sinh)
TILEWRIGHT_UNARY(cosh)
TILEWRIGHT_UNARY(tanh)
#undef TILEWRIGHT_UNARY

// Binary functions of two tiles, or of a tile and a plain number on either side. `add` to `div` are
// the operators with options. `floor_div`, `floor_mod` and `ceil_div` round their quotient as they
// say; `pow` and `atan2` are for floating point, `mul_high` (the upper half of the product) for
// integers. `min` and `max` give the operand that is not a NaN unless `propagate_nan` is set.
#define TILEWRIGHT_BINARY(NAME)                                                        \
  template <element T, int... D, element U, int... E>                                  \
  auto NAME(const Tile<T, D...>& a, const Tile<U, E...>& b, FloatOptions options = {}, \
            Location where = Location::current()) {                                    \
    return detail::apply(detail::Binary::NAME, a, b, options, where);                  \
  }                                                                                    \
  template <element T, int... D>                                                       \
  auto NAME(const Tile<T, D...>& a, Number b, FloatOptions options = {},               \
            Location where = Location::current()) {                                    \
    return detail::apply(detail::Binary::NAME, a, Tile<T>(b, where), options, where);  \
  }                                                                                    \
  template <element T, int... D>                                                       \
  auto NAME(Number a, const Tile<T, D...>& b, FloatOptions options = {},               \
            Location where = Location::current()) {                                    \
    return detail::apply(detail::Binary::NAME, Tile<T>(a, where), b, options, where);  \
  }
TILEWRIGHT_BINARY(add)
TILEWRIGHT_BINARY(sub)
TILEWRIGHT_BINARY(mul)
TILEWRIGHT_BINARY(div)
TILEWRIGHT_BINARY(min)
TILEWRIGHT_BINARY(max)
TILEWRIGHT_BINARY(floor_div)
TILEWRIGHT_BINARY(floor_mod)
TILEWRIGHT_BINARY(ceil_div)
TILEWRIGHT_BINARY(pow)
TILEWRIGHT_BINARY(atan2)
TILEWRIGHT_BINARY(mul_high)
#undef TILEWRIGHT_BINARY

/// The same on plain integers, for extents and plans: rounds the quotient up.
template <std::integral A, std::integral B>
constexpr auto ceil_div(A a, B b) {
  return (a + (b - 1)) / b;
}

/// a * b + c, rounded once.
template <element T, int... D, element U, int... E, element V, int... F>
auto fma(const Tile<T, D...>& a, const Tile<U, E...>& b, const Tile<V, F...>& c,
         FloatOptions options = {}, Location where = Location::current()) {
  static_assert(std::is_same_v<T, U> && std::is_same_v<T, V>,
                "operands differ in element type: convert one with as<T>(x)");
  constexpr auto shape = dims::broadcast(dims::broadcast(Tile<T, D...>::dims, Tile<U, E...>::dims),
                                         Tile<V, F...>::dims);
  static_assert(dims::fits(shape), "tile shapes do not broadcast");
  return tile_of<T, shape>(detail::Trusted{detail::fma(a.ref(), b.ref(), c.ref(), options, where)});
}

/// Where an element is not a number.
template <element T, int... D>
Tile<bool, D...> isnan(const Tile<T, D...>& x, Location where = Location::current()) {
  return Tile<bool, D...>(detail::Trusted{detail::is_nan(x.ref(), where)});
}

/// Element by element: `if_true` where the condition holds, `if_false` elsewhere.
template <element B, int... C, element T, int... D, element U, int... E>
auto where(const Tile<B, C...>& condition, const Tile<T, D...>& if_true,
           const Tile<U, E...>& if_false, Location line = Location::current()) {
  static_assert(std::is_same_v<B, bool>, "where: the condition is a tile of bool");
  static_assert(std::is_same_v<T, U>, "where: the two values differ in element type");
  constexpr auto shape = dims::broadcast(dims::broadcast(Tile<B, C...>::dims, Tile<T, D...>::dims),
                                         Tile<U, E...>::dims);
  static_assert(dims::fits(shape), "tile shapes do not broadcast");
  return tile_of<T, shape>(
      detail::Trusted{detail::where(condition.ref(), if_true.ref(), if_false.ref(), line)});
}
template <element B, int... C, element T, int... D>
auto where(const Tile<B, C...>& condition, const Tile<T, D...>& if_true, Number if_false,
           Location line = Location::current()) {
  return tw::where(condition, if_true, Tile<T>(if_false, line), line);
}
template <element B, int... C, element T, int... D>
auto where(const Tile<B, C...>& condition, Number if_true, const Tile<T, D...>& if_false,
           Location line = Location::current()) {
  return tw::where(condition, Tile<T>(if_true, line), if_false, line);
}

/// The tile converted to another element type: floats round to nearest (scales of f8e8m0 towards
/// zero), floats become integers by truncation that saturates (a NaN becomes 0), integers wrap, a
/// number becomes `true` unless it is 0.
template <element U, element T, int... D>
Tile<U, D...> as(const Tile<T, D...>& x, ConvertOptions options = {},
                 Location where = Location::current()) {
  if constexpr (std::is_same_v<T, U>) {
    return x;
  } else {
    return Tile<U, D...>(
        detail::Trusted{detail::convert(x.ref(), dtype_of<U>, options.rounding, where)});
  }
}

/// The same bits as another element type of equal width.
template <element U, element T, int... D>
Tile<U, D...> bitcast(const Tile<T, D...>& x, Location where = Location::current()) {
  static_assert(info(element_kind(dtype_of<U>)).bits == info(element_kind(dtype_of<T>)).bits,
                "bitcast: the element types differ in width");
  return Tile<U, D...>(detail::Trusted{detail::bitcast(x.ref(), dtype_of<U>, where)});
}

}  // namespace tw::inline v0
