// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <tilewright/core/element.hpp>
#include <tilewright/dsl/dims.hpp>
#include <tilewright/dsl/tile_ref.hpp>

namespace tw::inline v0 {

template <element T, int... D>
class Tile;

namespace detail {

/// An operand together with the line that names it: how an operator learns where it is used.
template <class V>
struct At {
  V value;
  Location where;
  template <class U>
    requires std::is_convertible_v<const U&, V>
  At(const U& operand, Location line = Location::current())  // NOLINT(google-explicit-constructor)
      : value(convert(operand, line)), where(line) {}

 private:
  template <class U>
  static V convert(const U& operand, Location line) {
    if constexpr (std::is_constructible_v<V, const U&, Location>) {
      return V(operand, line);
    } else {
      return operand;
    }
  }
};

/// The same for exactly one type, as the operators of tiles need.
template <class V>
struct Operand {
  V value;
  Location where;
  Operand(const V& operand,  // NOLINT(google-explicit-constructor)
          Location line = Location::current())
      : value(operand), where(line) {}
};

/// The class `V` of tiles or views with other extents.
template <class V, auto Shape, class Axes = std::make_index_sequence<Shape.size()>>
struct WithDims;
template <class V, auto Shape>
using with_dims = typename WithDims<V, Shape>::type;

template <element T, int... D, auto Shape, std::size_t... I>
struct WithDims<Tile<T, D...>, Shape, std::index_sequence<I...>> {
  using type = Tile<T, Shape[I]...>;
};

/// The younger of two tiles.
inline const TileRef& made_last(const TileRef& a, const TileRef& b) {
  return a.value > b.value ? a : b;
}

/// Whether tiles of these extents are whole bytes of a tensor, as far as their types tell: two
/// elements of f4e2m1 share one along the last axis.
template <element T, std::size_t N>
consteval bool are_whole_bytes(dims::Array<N> tile) {
  if constexpr (shares_bytes(dtype_of<T>) && N > 0) {
    return tile[N - 1] == dyn || tile[N - 1] % 2 == 0;
  } else {
    return true;
  }
}

/// Marks a TileRef whose type the language itself has already made sure of.
struct Trusted {
  TileRef ref;
};

}  // namespace detail

/// `Tile<T, Shape[0], Shape[1], ...>`.
template <class T, auto Shape>
using tile_of = detail::with_dims<Tile<T>, Shape>;

/// An immutable tile of a kernel: a value of static single assignment. `auto` names one; `Var`
/// carries one through loops and branches.
///
/// `D` are the extents, `dyn` where only the specialisation knows them; rank 0 is a scalar.
/// Operators work element by element and broadcast like NumPy: axes are aligned at the last one,
/// and an extent of one stretches. Integers wrap; `/` and `%` truncate and are total (x / 0 is 0, x
/// % 0 is x); shifts take their amount modulo the width.
template <element T, int... D>
class [[nodiscard("an operation on tiles does nothing but give its result")]] Tile {
 public:
  using value_type = T;
  static constexpr std::size_t rank = sizeof...(D);
  static constexpr dims::Array<rank> dims{D...};

  Tile(const Tile&) = default;
  Tile& operator=(const Tile&) = delete;  // tiles are immutable: declare a tw::Var to update one

  /// A tile whose extents the compiler knows less or more about; what it cannot see is checked when
  /// the kernel is traced.
  template <int... E>
    requires(sizeof...(E) == rank && (tw::dims::may_equal(D, E) && ...) &&
             !std::is_same_v<Tile, Tile<T, E...>>)
  Tile(const Tile<T, E...>& other,  // NOLINT(google-explicit-constructor)
       Location where = Location::current())
      : ref_(detail::declared(other.ref(), dims, where)) {}
  /// A scalar constant.
  template <number_like N>
    requires(sizeof...(D) == 0)
  Tile(N number, Location where = Location::current())  // NOLINT(google-explicit-constructor)
      : ref_(detail::constant(number, dtype_of<T>, where)) {}
  explicit Tile(detail::Trusted trusted) : ref_(std::move(trusted.ref)) {}

  [[nodiscard]] const detail::TileRef& ref() const { return ref_; }
  /// The extent of one axis, as a plain number: it is known when the kernel is specialised.
  [[nodiscard]] int extent(int axis, Location where = Location::current()) const {
    return detail::extent(ref_, axis, where);
  }

  explicit operator bool() const = delete;  // of the device: use TW_IF, tw::where, & and |

  /// The tile with one operator applied; what the operators below call.
  template <class R, class U, int... E>
  [[nodiscard]] auto combine(auto op, const Tile<U, E...>& other, Location where) const {
    static_assert(std::is_same_v<T, U>,
                  "operands differ in element type: convert one with as<T>(x)");
    constexpr auto shape = tw::dims::broadcast(dims, Tile<U, E...>::dims);
    static_assert(tw::dims::fits(shape), "tile shapes do not broadcast");
    using Result = tile_of<R, shape>;
    if constexpr (std::is_same_v<decltype(op), detail::Compare>) {
      return Result(detail::Trusted{detail::compare(op, ref_, other.ref(), where)});
    } else {
      return Result(detail::Trusted{detail::binary(op, ref_, other.ref(), {}, where)});
    }
  }
  template <class R>
  [[nodiscard]] auto combine(auto op, Number number, Location where) const {
    return combine<R>(op, Tile<T>(number, where), where);
  }

#define TILEWRIGHT_OPERATOR(SYMBOL, RESULT, OP)                                  \
  template <class U, int... E>                                                   \
  friend auto operator SYMBOL(detail::Operand<Tile> a, const Tile<U, E...>& b) { \
    return a.value.template combine<RESULT>(OP, b, a.where);                     \
  }                                                                              \
  friend auto operator SYMBOL(detail::Operand<Tile> a, Number b) {               \
    return a.value.template combine<RESULT>(OP, b, a.where);                     \
  }                                                                              \
  friend auto operator SYMBOL(Number a, detail::Operand<Tile> b) {               \
    return Tile<T>(a, b.where).template combine<RESULT>(OP, b.value, b.where);   \
  }
  TILEWRIGHT_OPERATOR(+, T, detail::Binary::add)
  TILEWRIGHT_OPERATOR(-, T, detail::Binary::sub)
  TILEWRIGHT_OPERATOR(*, T, detail::Binary::mul)
  TILEWRIGHT_OPERATOR(/, T, detail::Binary::div)
  TILEWRIGHT_OPERATOR(%, T, detail::Binary::rem)
  TILEWRIGHT_OPERATOR(&, T, detail::Binary::and_)
  TILEWRIGHT_OPERATOR(|, T, detail::Binary::or_)
  TILEWRIGHT_OPERATOR(^, T, detail::Binary::xor_)
  TILEWRIGHT_OPERATOR(<<, T, detail::Binary::shl)
  TILEWRIGHT_OPERATOR(>>, T, detail::Binary::shr)
  TILEWRIGHT_OPERATOR(<, bool, detail::Compare::lt)
  TILEWRIGHT_OPERATOR(<=, bool, detail::Compare::le)
  TILEWRIGHT_OPERATOR(>, bool, detail::Compare::gt)
  TILEWRIGHT_OPERATOR(>=, bool, detail::Compare::ge)

#undef TILEWRIGHT_OPERATOR

#define TILEWRIGHT_EQUALITY(SYMBOL, OP)                                      \
  friend auto operator SYMBOL(detail::Operand<Tile> a, Number b) {           \
    return a.value.template combine<bool>(OP, b, a.where);                   \
  }                                                                          \
  friend auto operator SYMBOL(Number a, detail::Operand<Tile> b) {           \
    return Tile<T>(a, b.where).template combine<bool>(OP, b.value, b.where); \
  }
  TILEWRIGHT_EQUALITY(==, detail::Compare::eq)
  TILEWRIGHT_EQUALITY(!=, detail::Compare::ne)
#undef TILEWRIGHT_EQUALITY

  friend Tile operator-(detail::Operand<Tile> x) {
    return Tile(detail::Trusted{detail::unary(detail::Unary::neg, x.value.ref(), {}, x.where)});
  }
  friend Tile operator~(detail::Operand<Tile> x) {
    return Tile(detail::Trusted{detail::unary(detail::Unary::not_, x.value.ref(), {}, x.where)});
  }

 protected:
  detail::TileRef ref_;
};

// Between tiles, == and != are symmetric templates: with a converted left operand C++20's reversed
// candidates would be ambiguous. Their line is that of the operand made last.
template <element T, int... D, element U, int... E>
auto operator==(const Tile<T, D...>& a, const Tile<U, E...>& b) {
  return a.template combine<bool>(detail::Compare::eq, b,
                                  detail::made_last(a.ref(), b.ref()).where);
}
template <element T, int... D, element U, int... E>
auto operator!=(const Tile<T, D...>& a, const Tile<U, E...>& b) {
  return a.template combine<bool>(detail::Compare::ne, b,
                                  detail::made_last(a.ref(), b.ref()).where);
}

// An exact match, because a converted operand would be ambiguous with !bool.
template <int... D>
Tile<bool, D...> operator!(const Tile<bool, D...>& x) {
  return Tile<bool, D...>(
      detail::Trusted{detail::unary(detail::Unary::not_, x.ref(), {}, x.ref().where)});
}

template <class T>
using Scalar = Tile<T>;
using Int = Tile<int>;
using Float = Tile<float>;
using Bool = Tile<bool>;

}  // namespace tw::inline v0
