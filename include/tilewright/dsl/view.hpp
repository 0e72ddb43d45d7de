// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include <tilewright/dsl/box_ref.hpp>
#include <tilewright/dsl/shaping.hpp>

namespace tw::inline v0 {

namespace detail {

/// One index for each axis of a view: a number or an Int, with the line that gives it.
template <int>
using IndexFor = At<Int>;

template <class... I>
std::array<TileRef, sizeof...(I)> refs(const I&... index) {
  return {index.value.ref()...};
}
template <class First, class... Rest>
Location line_of(const First& first, const Rest&...) {
  return first.where;
}

}  // namespace detail

/// A tensor cut into tiles. `x.tiles(bm, bk)(i, k)` loads tile (i, k); indices count tiles.
///
/// The ragged end of the tensor reads as zero. Any other index outside is a fault: the load gives
/// zeros and the launch reports it. `padded(v)` makes the tiling total instead.
template <element T, int... D>
class Tiles {
 public:
  using value_type = T;
  static constexpr std::size_t rank = sizeof...(D);
  static constexpr dims::Array<rank> dims{D...};

  explicit Tiles(detail::TilingRef ref) : ref_(ref) {}

  /// The same tiling, total: the ragged end, any tile index and any gathered id outside read as
  /// `value`.
  [[nodiscard]] Tiles padded(Number value, Location where = Location::current()) const {
    return Tiles(detail::padded(ref_, value, where));
  }
  /// Loads a tile.
  [[nodiscard]] Tile<T, D...> operator()(detail::IndexFor<D>... at, AccessHints hints = {}) const {
    return Tile<T, D...>(
        detail::Trusted{detail::load(ref_, detail::refs(at...), hints, detail::line_of(at...))});
  }
  /// The number of tiles along an axis; the last may be ragged.
  [[nodiscard]] Int count(int axis, Location where = Location::current()) const {
    return Int(detail::Trusted{detail::count(ref_, axis, where)});
  }
  [[nodiscard]] const detail::TilingRef& ref() const { return ref_; }

 private:
  detail::TilingRef ref_;
};

template <element T, int... D>
class In;

namespace detail {

template <class T, auto Shape, class Axes = std::make_index_sequence<Shape.size()>>
struct InOf;
template <class T, auto Shape, std::size_t... I>
struct InOf<T, Shape, std::index_sequence<I...>> {
  using type = In<T, Shape[I]...>;
};

}  // namespace detail

/// A tensor that all blocks share, read only.
template <element T, int... D>
class In {
 public:
  using value_type = T;
  static constexpr int rank = sizeof...(D);
  static constexpr dims::Array<sizeof...(D)> dims{D...};

  explicit In(detail::BoxRef ref) : ref_(ref) {}

  /// Cuts the tensor into tiles whose extents the template arguments give ...
  template <int... E>
    requires(sizeof...(E) == sizeof...(D) && sizeof...(E) > 0)
  [[nodiscard]] auto tiles(Location where = Location::current()) const {
    return Tiles<T, E...>(detail::tiling(ref_, Shape{E...}, where));
  }
  /// ... or plain numbers and extents of other tiles.
  template <detail::extent_like... E>
    requires(sizeof...(E) == sizeof...(D))
  [[nodiscard]] auto tiles(E... extents) const {
    return Tiles<T, detail::static_extent<E>...>(
        detail::tiling(ref_, Shape{static_cast<int>(extents)...}, Location::current()));
  }
  /// The extent of an axis.
  [[nodiscard]] Int extent(int axis, Location where = Location::current()) const {
    return Int(detail::Trusted{detail::extent(ref_, axis, where)});
  }
  /// One element, as a run-time scalar.
  [[nodiscard]] Scalar<T> at(detail::IndexFor<D>... index) const {
    return Scalar<T>(detail::Trusted{
        detail::element_at(ref_, detail::refs(index...), detail::line_of(index...))});
  }
  /// The tile at the place, and in the shape, of what this block owns of an output.
  template <class O>
  [[nodiscard]] auto load_like(const O& output, AccessHints hints = {},
                               Location where = Location::current()) const {
    static_assert(O::rank == rank, "load_like: input and output have different ranks");
    return tile_of<T, O::dims>(
        detail::Trusted{detail::load_like(ref_, output.ref(), nullptr, hints, where)});
  }
  /// The same input, total: whatever lies outside reads as `value`.
  [[nodiscard]] auto padded(Number value) const;

  [[nodiscard]] const detail::BoxRef& ref() const { return ref_; }

 private:
  detail::BoxRef ref_;
};

template <class T>
using In1 = In<T, dyn>;
template <class T>
using In2 = In<T, dyn, dyn>;
template <class T>
using In3 = In<T, dyn, dyn, dyn>;
template <class T>
using In4 = In<T, dyn, dyn, dyn, dyn>;
template <class T>
using In5 = In<T, dyn, dyn, dyn, dyn, dyn>;
template <class T>
using In6 = In<T, dyn, dyn, dyn, dyn, dyn, dyn>;

/// An input whose outside reads as one number; made by `In::padded`.
template <element T, int... D>
class PaddedIn {
 public:
  PaddedIn(In<T, D...> input, Number value) : input_(input), value_(value) {}

  template <detail::extent_like... E>
    requires(sizeof...(E) == sizeof...(D))
  [[nodiscard]] auto tiles(E... extents) const {
    return input_.tiles(extents...).padded(value_);
  }
  template <class O>
  [[nodiscard]] auto load_like(const O& output, AccessHints hints = {},
                               Location where = Location::current()) const {
    static_assert(O::rank == sizeof...(D), "load_like: input and output have different ranks");
    return tile_of<T, O::dims>(
        detail::Trusted{detail::load_like(input_.ref(), output.ref(), &value_, hints, where)});
  }

 private:
  In<T, D...> input_;
  Number value_;
};
template <element T, int... D>
auto In<T, D...>::padded(Number value) const {
  return PaddedIn<T, D...>(*this, value);
}

/// Fixes axes of an input at one place and drops them: `select<0, 2>(x, b, h)`.
template <int... A, element T, int... D, class... I>
  requires(sizeof...(A) == sizeof...(I) && sizeof...(A) > 0)
auto select(const In<T, D...>& x, const I&... at) {
  constexpr dims::Array<sizeof...(A)> axes{A...};
  static_assert(dims::in_range_and_distinct(axes, sizeof...(D)),
                "select: an axis is outside the view's rank, or named twice");
  constexpr auto kept = dims::without(In<T, D...>::dims, axes);
  const std::array<detail::TileRef, sizeof...(A)> indices{Int(at).ref()...};
  using Result = typename detail::InOf<T, kept>::type;
  return Result(detail::select(x.ref(), axes, indices, Location::current()));
}

/// The part of an input that begins at `start` and is `extent` long along one axis.
template <int Axis, element T, int... D>
In<T, D...> slice(const In<T, D...>& x, detail::At<Int> start, detail::At<Int> extent) {
  static_assert(Axis >= 0 && Axis < static_cast<int>(sizeof...(D)),
                "slice: the axis is outside the view's rank");
  return In<T, D...>(
      detail::slice(x.ref(), Axis, start.value.ref(), extent.value.ref(), start.where));
}

/// Rows by their ids: along `Axis` the tile holds the elements that `ids` names, one by one; `at`
/// counts tiles along the other axes. An id outside is a fault, or the padding of a padded tiling.
template <int Axis, element T, int... D, int M, class... I>
  requires(sizeof...(I) + 1 == sizeof...(D))
Tile<T, D...> gather(const Tiles<T, D...>& tiles, const Tile<int, M>& ids, const I&... at) {
  static_assert(Axis >= 0 && Axis < static_cast<int>(sizeof...(D)),
                "gather: the axis is outside the view's rank");
  static_assert(dims::may_equal(M, Tiles<T, D...>::dims[static_cast<std::size_t>(Axis)]),
                "gather: one id for each element of the tile along the gathered axis");
  const std::array<detail::TileRef, sizeof...(I)> indices{Int(at).ref()...};
  return Tile<T, D...>(
      detail::Trusted{detail::gather(tiles.ref(), Axis, ids.ref(), indices, Location::current())});
}

template <class V>
class List;

/// A list of inputs of one type; `a[g]` is one of them.
template <element T, int... D>
class List<In<T, D...>> {
 public:
  explicit List(int parameter) : parameter_(parameter) {}
  [[nodiscard]] In<T, D...> operator[](detail::At<Int> which) const {
    return In<T, D...>(detail::list_element(parameter_, which.value.ref(), which.where));
  }
  [[nodiscard]] Int size(Location where = Location::current()) const {
    return Int(detail::Trusted{detail::list_size(parameter_, where)});
  }

 private:
  int parameter_;
};

}  // namespace tw::inline v0
