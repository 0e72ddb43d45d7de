// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <tuple>

#include <tilewright/dsl/math.hpp>

namespace tw::inline v0 {

namespace detail {

template <int Axis, element T, int... D>
auto reduced(Binary combiner, const Tile<T, D...>& x, const FloatOptions& options, Location where) {
  static_assert(dims::is_axis(Axis, sizeof...(D)), "reduction axis is outside the tile's rank");
  constexpr auto shape = dims::with(Tile<T, D...>::dims, Axis, 1);
  return tile_of<T, shape>(Trusted{reduce(combiner, x.ref(), Axis, options, where)});
}

/// A combiner of scalars of the types `T`, of tuples of them when there are several.
template <class F, element... T>
struct CombinerCall {
  F* function;
  Location where;

  static void call(void* context, const TileRef* accumulators, const TileRef* elements,
                   TileRef* results) {
    const auto& self = *static_cast<CombinerCall*>(context);
    self.invoke(accumulators, elements, results, std::index_sequence_for<T...>{});
  }

 private:
  template <std::size_t... I>
  void invoke(const TileRef* accumulators, const TileRef* elements, TileRef* results,
              std::index_sequence<I...>) const {
    if constexpr (sizeof...(T) == 1) {
      static_assert(std::is_invocable_v<F&, Tile<T>..., Tile<T>...>,
                    "a combiner takes (accumulator, element)");
      const auto next =
          (*function)(Tile<T>(Trusted{accumulators[I]})..., Tile<T>(Trusted{elements[I]})...);
      ((results[I] = result<T>(next)), ...);
    } else {
      using Values = std::tuple<Tile<T>...>;
      static_assert(std::is_invocable_v<F&, Values, Values>,
                    "a combiner of several tiles takes (accumulators, elements), both tuples");
      const auto next =
          (*function)(Values{Trusted{accumulators[I]}...}, Values{Trusted{elements[I]}...});
      static_assert(std::tuple_size_v<std::remove_const_t<decltype(next)>> == sizeof...(T),
                    "a combiner gives one value for each tile");
      ((results[I] = result<T>(std::get<I>(next))), ...);
    }
  }

  template <element U, class V>
  TileRef result(const V& value) const {
    static_assert(std::is_convertible_v<const V&, Tile<U>>,
                  "a combiner gives a scalar of the tile's element type");
    return At<Tile<U>>(value, where).value.ref();
  }
};

}  // namespace detail

// Reductions along one axis, which stays as an extent of one: `sum<1>(x)`. Elements are taken in
// ascending order. `max` and `min` ignore NaNs unless `propagate_nan` is set.
#define TILEWRIGHT_REDUCTION(NAME, OP)                                   \
  template <int Axis, element T, int... D>                               \
  auto NAME(const Tile<T, D...>& x, FloatOptions options = {},           \
            Location where = Location::current()) {                      \
    return detail::reduced<Axis>(detail::Binary::OP, x, options, where); \
  }
TILEWRIGHT_REDUCTION(sum, add)
TILEWRIGHT_REDUCTION(prod, mul)
TILEWRIGHT_REDUCTION(min, min)
TILEWRIGHT_REDUCTION(max, max)
TILEWRIGHT_REDUCTION(all_of, and_)
TILEWRIGHT_REDUCTION(any_of, or_)
#undef TILEWRIGHT_REDUCTION

/// Reduces along one axis with any associative combiner `f(accumulator, element)`. `identity`
/// starts it, and must change nothing as an element: it fills what pads an axis. The combiner is
/// pure scalar code: it may use tiles of rank 0 from outside, but assigns no variable and divides
/// no integers.
template <int Axis, element T, int... D, class F>
auto reduce(const Tile<T, D...>& x, Number identity, F&& f, Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, sizeof...(D)), "reduction axis is outside the tile's rank");
  constexpr auto shape = dims::with(Tile<T, D...>::dims, Axis, 1);
  detail::CombinerCall<std::remove_reference_t<F>, T> call{&f, where};
  detail::TileRef result;
  const std::array xs{x.ref()};
  const std::array identities{identity};
  detail::reduce(xs, identities, Axis, {&call, call.call}, &result, where);
  return tile_of<T, shape>(detail::Trusted{result});
}

/// The running combination along one axis, the element itself included.
template <int Axis, element T, int... D, class F>
Tile<T, D...> scan(const Tile<T, D...>& x, Number identity, F&& f, ScanOptions options = {},
                   Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, sizeof...(D)), "scan axis is outside the tile's rank");
  detail::CombinerCall<std::remove_reference_t<F>, T> call{&f, where};
  detail::TileRef result;
  const std::array xs{x.ref()};
  const std::array identities{identity};
  detail::scan(xs, identities, Axis, options.reverse, {&call, call.call}, &result, where);
  return Tile<T, D...>(detail::Trusted{result});
}

namespace detail {

/// Complains unless tiles can be reduced or scanned together.
template <int Axis, std::size_t Identities, class First, class... Rest>
consteval void require_together() {
  static_assert(Identities == 1 + sizeof...(Rest), "one identity for each tile");
  static_assert(dims::is_axis(Axis, First::rank), "the axis is outside the tiles' rank");
  static_assert((dims::may_be_same(First::dims, Rest::dims) && ...),
                "tiles that are taken together have one shape");
}

template <bool Scan, auto Shape, class... X, class... N, std::size_t... I, class F>
auto combine_tuple(const std::tuple<X...>& xs, const std::tuple<N...>& identities, int axis,
                   bool reverse, F& f, std::index_sequence<I...>, Location where) {
  const std::array tiles{std::get<I>(xs).ref()...};
  const std::array numbers{Number(std::get<I>(identities))...};
  CombinerCall<F, typename X::value_type...> call{&f, where};
  std::array<TileRef, sizeof...(X)> results;
  if constexpr (Scan) {
    scan(tiles, numbers, axis, reverse, {&call, call.call}, results.data(), where);
  } else {
    reduce(tiles, numbers, axis, {&call, call.call}, results.data(), where);
  }
  return std::tuple{tile_of<typename X::value_type, Shape>(Trusted{results[I]})...};
}

}  // namespace detail

/// Reduces several tiles of one shape together, as argmax or Welford's method need:
/// `auto [best, at] = reduce<0>(std::tuple{x, i}, std::tuple{-INFINITY, 0}, f)`, where f takes and
/// gives tuples.
template <int Axis, class First, class... Rest, class... N, class F>
auto reduce(const std::tuple<First, Rest...>& xs, const std::tuple<N...>& identities, F&& f,
            Location where = Location::current()) {
  detail::require_together<Axis, sizeof...(N), First, Rest...>();
  return detail::combine_tuple<false, dims::with(First::dims, Axis, 1)>(
      xs, identities, Axis, false, f, std::index_sequence_for<First, Rest...>{}, where);
}
template <int Axis, class First, class... Rest, class... N, class F>
auto scan(const std::tuple<First, Rest...>& xs, const std::tuple<N...>& identities, F&& f,
          ScanOptions options = {}, Location where = Location::current()) {
  detail::require_together<Axis, sizeof...(N), First, Rest...>();
  return detail::combine_tuple<true, First::dims>(xs, identities, Axis, options.reverse, f,
                                                  std::index_sequence_for<First, Rest...>{}, where);
}

/// Running sums and products along one axis.
template <int Axis, element T, int... D>
Tile<T, D...> cumsum(const Tile<T, D...>& x, ScanOptions options = {},
                     Location where = Location::current()) {
  return tw::scan<Axis>(
      x, 0, [&](const Tile<T>& a, const Tile<T>& e) { return tw::add(a, e, {}, where); }, options,
      where);
}
template <int Axis, element T, int... D>
Tile<T, D...> cumprod(const Tile<T, D...>& x, ScanOptions options = {},
                      Location where = Location::current()) {
  return tw::scan<Axis>(
      x, 1, [&](const Tile<T>& a, const Tile<T>& e) { return tw::mul(a, e, {}, where); }, options,
      where);
}

}  // namespace tw::inline v0
