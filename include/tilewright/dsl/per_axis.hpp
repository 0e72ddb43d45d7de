// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tilewright/dsl/tile.hpp>

/// Arguments that a function takes one for each axis: extents and indices.
///
/// Such a function declares as many as there can be axes and lets the later ones default to
/// `Omitted`. A parameter pack would leave no room behind it for the user's line.
namespace tw::inline v0::detail {

/// Stands for an argument that was not given.
struct Omitted {};

template <class... A>
inline constexpr std::size_t given = (std::size_t{0} + ... + !std::is_same_v<A, Omitted>);

template <class E>
concept extent_like = std::is_convertible_v<E, int> && !std::is_floating_point_v<E>;

template <class E>
inline constexpr bool is_extent_argument = extent_like<E> || std::is_same_v<E, Omitted>;

/// The given extents, as the compiler knows them.
template <class... E>
consteval auto static_extents() {
  static_assert((is_extent_argument<E> && ...),
                "an extent is a plain integer that is known when the kernel is specialised");
  const std::array<int, sizeof...(E)> all{static_extent<E>...};
  dims::Array<given<E...>> result{};
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = all[i];
  return result;
}

/// The given extents.
template <class... E>
Shape extents(const E&... extent) {
  Shape shape;
  [[maybe_unused]] const auto add = [&]<class X>(const X& x) {
    if constexpr (extent_like<X>) shape.push_back(static_cast<std::int64_t>(x));
  };
  (add(extent), ...);
  return shape;
}

/// The index at one axis of a view whose rank is known: a number or an Int.
template <int>
using IndexFor = const Int&;

template <class I>
TileRef index_ref(const I& index, Location where) {
  constexpr bool is_int = std::is_convertible_v<const I&, const Int&>;
  static_assert(is_int || number_like<I>,
                "an index is a number or an Int: convert a scalar with as<int>(i), take the "
                "element of a tile with item(x)");
  if constexpr (number_like<I>) {
    return constant(index, DType::int32, where);
  } else if constexpr (is_int) {
    return static_cast<const Int&>(index).ref();
  } else {
    return {};
  }
}

/// The given indices.
template <class... I>
std::array<TileRef, given<I...>> index_refs(Location where, const I&... index) {
  std::array<TileRef, given<I...>> refs;
  std::size_t next = 0;
  [[maybe_unused]] const auto add = [&]<class X>(const X& x) {
    if constexpr (!std::is_same_v<X, Omitted>) refs[next++] = index_ref(x, where);
  };
  (add(index), ...);
  return refs;
}

}  // namespace tw::inline v0::detail
