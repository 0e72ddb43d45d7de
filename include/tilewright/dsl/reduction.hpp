// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <tuple>

#include <tilewright/dsl/math.hpp>

namespace tw::inline v0 {

namespace detail {

template <int Axis, element T, int... D>
auto reduced(Binary combiner, const Tile<T, D...>& x, const FloatOptions& options, Location where) {
  static_assert(Axis >= 0 && Axis < static_cast<int>(sizeof...(D)),
                "reduction axis is outside the tile's rank");
  constexpr auto shape = dims::with(Tile<T, D...>::dims, Axis, 1);
  return tile_of<T, shape>(Trusted{reduce(combiner, x.ref(), Axis, options, where)});
}

template <class F, element... T>
struct CombinerCall {
  static constexpr std::size_t count = sizeof...(T);
  F* function;

  static void call(void* context, const TileRef* accumulators, const TileRef* elements,
                   TileRef* results) {
    auto& function = *static_cast<CombinerCall*>(context)->function;
    invoke(function, accumulators, elements, results, std::index_sequence_for<T...>{});
  }

 private:
  template <std::size_t... I>
  static void invoke(F& function, const TileRef* accumulators, const TileRef* elements,
                     TileRef* results, std::index_sequence<I...>) {
    if constexpr (count == 1) {
      const Tile<std::tuple_element_t<0, std::tuple<T...>>> result =
          function(Tile<T>(Trusted{accumulators[I]})..., Tile<T>(Trusted{elements[I]})...);
      results[0] = result.ref();
    } else {
      const std::tuple<Tile<T>...> result =
          function(std::tuple{Tile<T>(Trusted{accumulators[I]})...},
                   std::tuple{Tile<T>(Trusted{elements[I]})...});
      ((results[I] = std::get<I>(result).ref()), ...);
    }
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

/// Reduces along one axis with any combiner `f(accumulator, element)`; `identity` starts it. The
/// combiner is pure scalar code: it may use tiles of rank 0 from outside, but assigns no variable.
template <int Axis, element T, int... D, class F>
auto reduce(const Tile<T, D...>& x, Number identity, F&& f, Location where = Location::current()) {
  static_assert(Axis >= 0 && Axis < static_cast<int>(sizeof...(D)),
                "reduction axis is outside the tile's rank");
  constexpr auto shape = dims::with(Tile<T, D...>::dims, Axis, 1);
  detail::CombinerCall<std::remove_reference_t<F>, T> call{&f};
  detail::TileRef result;
  const std::array xs{x.ref()};
  const std::array identities{identity};
  detail::reduce(xs, identities, Axis, {&call, call.call}, &result, where);
  return tile_of<T, shape>(detail::Trusted{result});
}

namespace detail {

template <bool Scan, auto Shape, element... T, std::size_t... I, class F>
auto combine_tuple(const std::array<TileRef, sizeof...(T)>& xs,
                   const std::array<Number, sizeof...(T)>& identities, int axis, bool reverse, F& f,
                   std::index_sequence<I...>, Location where) {
  CombinerCall<F, T...> call{&f};
  std::array<TileRef, sizeof...(T)> results;
  if constexpr (Scan) {
    scan(xs, identities, axis, reverse, {&call, call.call}, results.data(), where);
  } else {
    reduce(xs, identities, axis, {&call, call.call}, results.data(), where);
  }
  return std::tuple{tile_of<T, Shape>(Trusted{results[I]})...};
}

}  // namespace detail

/// Reduces several tiles of one shape together, as argmax or Welford's method need:
/// `auto [best, at] = reduce<0>(std::tuple{x, i}, std::tuple{-INFINITY, 0}, f)`, where f takes and
/// gives tuples.
template <int Axis, class First, class... Rest, class... N, class F>
  requires(sizeof...(N) == sizeof...(Rest) + 1)
auto reduce(const std::tuple<First, Rest...>& xs, const std::tuple<N...>& identities, F&& f,
            Location where = Location::current()) {
  constexpr auto shape = dims::with(First::dims, Axis, 1);
  return detail::combine_tuple<false, shape, typename First::value_type,
                               typename Rest::value_type...>(
      std::apply([](const auto&... x) { return std::array{x.ref()...}; }, xs),
      std::apply([](const auto&... n) { return std::array{Number(n)...}; }, identities), Axis,
      false, f, std::index_sequence_for<First, Rest...>{}, where);
}

/// The running combination along one axis, the element itself included.
template <int Axis, element T, int... D, class F>
Tile<T, D...> scan(const Tile<T, D...>& x, Number identity, F&& f, ScanOptions options = {},
                   Location where = Location::current()) {
  static_assert(Axis >= 0 && Axis < static_cast<int>(sizeof...(D)),
                "scan axis is outside the tile's rank");
  detail::CombinerCall<std::remove_reference_t<F>, T> call{&f};
  detail::TileRef result;
  const std::array xs{x.ref()};
  const std::array identities{identity};
  detail::scan(xs, identities, Axis, options.reverse, {&call, call.call}, &result, where);
  return Tile<T, D...>(detail::Trusted{result});
}
template <int Axis, class First, class... Rest, class... N, class F>
  requires(sizeof...(N) == sizeof...(Rest) + 1)
auto scan(const std::tuple<First, Rest...>& xs, const std::tuple<N...>& identities, F&& f,
          ScanOptions options = {}, Location where = Location::current()) {
  return detail::combine_tuple<true, First::dims, typename First::value_type,
                               typename Rest::value_type...>(
      std::apply([](const auto&... x) { return std::array{x.ref()...}; }, xs),
      std::apply([](const auto&... n) { return std::array{Number(n)...}; }, identities), Axis,
      options.reverse, f, std::index_sequence_for<First, Rest...>{}, where);
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
