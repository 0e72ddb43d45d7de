// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include <tilewright/dsl/box_ref.hpp>
#include <tilewright/dsl/shaping.hpp>

namespace tw::inline v0 {

/// A tensor cut into tiles. `x.tiles(bm, bk)(i, k)` loads tile (i, k); indices count tiles.
///
/// The ragged end of the tensor reads as zero. Any other index outside is a fault: the load gives
/// zeros and the launch reports it. `padded(v)` makes the tiling total instead.
template <element T, int... D>
class [[nodiscard("a view does nothing by itself")]] Tiles {
 public:
  using value_type = T;
  static constexpr std::size_t rank = sizeof...(D);
  static constexpr dims::Array<rank> dims{D...};
  static_assert(detail::are_whole_bytes<T>(dims),
                "two elements of f4e2m1 share a byte: a tile spans an even number of them along "
                "the last axis");

  explicit Tiles(detail::TilingRef ref) : ref_(ref) {}

  /// The same tiling, total: the ragged end, any tile index and any gathered id outside read as
  /// `value`.
  [[nodiscard]] Tiles padded(Number value, Location where = Location::current()) const {
    return Tiles(detail::padded(ref_, value, where));
  }
  /// Loads a tile.
  [[nodiscard]] Tile<T, D...> operator()(detail::IndexFor<D>... at, AccessHints hints = {},
                                         Location where = Location::current()) const {
    return Tile<T, D...>(
        detail::Trusted{detail::load(ref_, detail::index_refs(where, at...), hints, where)});
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

template <element T, int... D, auto Shape, std::size_t... I>
struct WithDims<Tiles<T, D...>, Shape, std::index_sequence<I...>> {
  using type = Tiles<T, Shape[I]...>;
};
template <element T, int... D, auto Shape, std::size_t... I>
struct WithDims<In<T, D...>, Shape, std::index_sequence<I...>> {
  using type = In<T, Shape[I]...>;
};

/// A box in tiles of the given extents, as the class `V` of tiles with what the types say of them.
template <class V, std::size_t Rank, class... E>
auto tiled(const BoxRef& box, Location where, const E&... extent) {
  constexpr auto shape = static_extents<E...>();
  static_assert(shape.size() == Rank, "tiles: one extent for each axis");
  return with_dims<V, shape>(tiling(box, extents(extent...), where));
}

/// What this block owns of an output; inputs take their shape from it.
template <class O>
inline constexpr bool is_output = false;

}  // namespace detail

/// A tensor that all blocks share, read only.
template <element T, int... D>
class [[nodiscard("a view does nothing by itself")]] In {
 public:
  using value_type = T;
  static constexpr int rank = sizeof...(D);
  static constexpr dims::Array<sizeof...(D)> dims{D...};

  explicit In(detail::BoxRef ref) : ref_(ref) {}

  /// Cuts the tensor into tiles whose extents the template arguments give ...
  template <int First, int... E>
  [[nodiscard]] auto tiles(Location where = Location::current()) const {
    static_assert(1 + sizeof...(E) == sizeof...(D), "tiles: one extent for each axis");
    return Tiles<T, First, E...>(detail::tiling(ref_, Shape{First, E...}, where));
  }
  /// ... or plain numbers and extents of other tiles.
  template <class A = detail::Omitted, class B = detail::Omitted, class C = detail::Omitted,
            class E = detail::Omitted, class F = detail::Omitted, class G = detail::Omitted>
  [[nodiscard]] auto tiles(A a = {}, B b = {}, C c = {}, E e = {}, F f = {}, G g = {},
                           Location where = Location::current()) const {
    return detail::tiled<Tiles<T>, sizeof...(D)>(ref_, where, a, b, c, e, f, g);
  }
  /// The extent of an axis.
  [[nodiscard]] Int extent(int axis, Location where = Location::current()) const {
    return Int(detail::Trusted{detail::extent(ref_, axis, where)});
  }
  /// One element, as a run-time scalar.
  [[nodiscard]] Scalar<T> at(detail::IndexFor<D>... index,
                             Location where = Location::current()) const {
    static_assert(!shares_bytes(dtype_of<T>),
                  "two elements of f4e2m1 share a byte: none is read alone; load a tile of them");
    return Scalar<T>(
        detail::Trusted{detail::element_at(ref_, detail::index_refs(where, index...), where)});
  }
  /// The tile at the place, and in the shape, of what this block owns of an output.
  template <class O>
  [[nodiscard]] auto load_like(const O& output, AccessHints hints = {},
                               Location where = Location::current()) const {
    return load_like(output, nullptr, hints, where);
  }
  /// The same input, total: whatever lies outside reads as `value`.
  [[nodiscard]] auto padded(Number value) const;

  [[nodiscard]] const detail::BoxRef& ref() const { return ref_; }

 private:
  template <element, int...>
  friend class PaddedIn;

  template <class O>
  auto load_like(const O& output, const Number* padding, AccessHints hints, Location where) const {
    static_assert(detail::is_output<O>, "load_like: takes an output, or one place of a dealt one");
    static_assert(
        O::rank == rank,
        "load_like: input and output have different ranks: tile the axes they share, as in "
        "x.tiles(dim<1>(y))(index)");
    static_assert(detail::are_whole_bytes<T>(O::dims),
                  "two elements of f4e2m1 share a byte: a tile spans an even number of them along "
                  "the last axis");
    return tile_of<T, O::dims>(
        detail::Trusted{detail::load_like(ref_, output.ref(), padding, hints, where)});
  }

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
class [[nodiscard("a view does nothing by itself")]] PaddedIn {
 public:
  PaddedIn(In<T, D...> input, Number value) : input_(input), value_(value) {}

  template <class A = detail::Omitted, class B = detail::Omitted, class C = detail::Omitted,
            class E = detail::Omitted, class F = detail::Omitted, class G = detail::Omitted>
  [[nodiscard]] auto tiles(A a = {}, B b = {}, C c = {}, E e = {}, F f = {}, G g = {},
                           Location where = Location::current()) const {
    return input_.tiles(a, b, c, e, f, g, where).padded(value_, where);
  }
  template <class O>
  [[nodiscard]] auto load_like(const O& output, AccessHints hints = {},
                               Location where = Location::current()) const {
    return input_.load_like(output, &value_, hints, where);
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
template <int... Axes, element T, int... D, class A, class B = detail::Omitted,
          class C = detail::Omitted, class E = detail::Omitted, class F = detail::Omitted,
          class G = detail::Omitted>
auto select(const In<T, D...>& x, const A& a, const B& b = {}, const C& c = {}, const E& e = {},
            const F& f = {}, const G& g = {}, Location where = Location::current()) {
  constexpr dims::Array<sizeof...(Axes)> axes{Axes...};
  static_assert(axes.size() == detail::given<A, B, C, E, F, G>,
                "select: one index for each axis that is named");
  static_assert(dims::in_range_and_distinct(axes, sizeof...(D)),
                "select: an axis is outside the view's rank, or named twice");
  static_assert(!shares_bytes(dtype_of<T>) || ((Axes + 1 != sizeof...(D)) && ...),
                "select: two elements of f4e2m1 share a byte along the last axis, which cannot be "
                "fixed");
  constexpr auto kept = dims::without(In<T, D...>::dims, axes);
  const auto at = detail::index_refs(where, a, b, c, e, f, g);
  return detail::with_dims<In<T>, kept>(detail::select(x.ref(), axes, at, where));
}

/// The part of an input that begins at `start` and is `extent` long along one axis.
template <int Axis, element T, int... D>
In<T, D...> slice(const In<T, D...>& x, const Int& start, const Int& extent,
                  Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, sizeof...(D)), "slice: the axis is outside the view's rank");
  static_assert(!shares_bytes(dtype_of<T>) || Axis + 1 != sizeof...(D),
                "slice: two elements of f4e2m1 share a byte along the last axis, which cannot be "
                "narrowed by a number of the device: slice the tensor on the host");
  return In<T, D...>(detail::slice(x.ref(), Axis, start.ref(), extent.ref(), where));
}

/// Rows by their ids: along `Axis` the tile holds the elements that `ids` names, one by one; the
/// indices after them count tiles along the other axes. An id outside is a fault, or the padding of
/// a padded tiling.
template <int Axis, element T, int... D, int... M, class A = detail::Omitted,
          class B = detail::Omitted, class C = detail::Omitted, class E = detail::Omitted,
          class F = detail::Omitted>
Tile<T, D...> gather(const Tiles<T, D...>& tiles, const Tile<int, M...>& ids, const A& a = {},
                     const B& b = {}, const C& c = {}, const E& e = {}, const F& f = {},
                     Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, sizeof...(D)), "gather: the axis is outside the view's rank");
  static_assert(!shares_bytes(dtype_of<T>),
                "gather: two elements of f4e2m1 share a byte: none is read alone; gather the bytes "
                "as uint8_t and unpack them");
  static_assert(sizeof...(M) == 1, "gather: the ids are a tile of rank 1");
  static_assert(dims::may_equal((M + ...), Tiles<T, D...>::dims[Axis]),
                "gather: one id for each element of the tile along the gathered axis");
  static_assert(detail::given<A, B, C, E, F> + 1 == sizeof...(D),
                "gather: one index for each axis but the gathered one");
  const auto at = detail::index_refs(where, a, b, c, e, f);
  return Tile<T, D...>(detail::Trusted{detail::gather(tiles.ref(), Axis, ids.ref(), at, where)});
}

template <class V>
class List;

/// A list of inputs of one type; `a[g]` is one of them.
template <element T, int... D>
class List<In<T, D...>> {
 public:
  explicit List(const detail::ParameterRef& parameter) : parameter_(parameter) {}
  [[nodiscard]] In<T, D...> operator[](detail::At<Int> which) const {
    return In<T, D...>(detail::list_element(parameter_, which.value.ref(), which.where));
  }
  [[nodiscard]] Int size(Location where = Location::current()) const {
    return Int(detail::Trusted{detail::list_size(parameter_, where)});
  }

 private:
  detail::ParameterRef parameter_;
};

}  // namespace tw::inline v0
