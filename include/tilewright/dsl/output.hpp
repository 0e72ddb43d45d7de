// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include <tilewright/dsl/control.hpp>
#include <tilewright/dsl/view.hpp>

namespace tw::inline v0 {

/// Tiles inside the box that a block owns: `out.tiles(1, bn).store(x, 0, j)`.
///
/// On a cut axis the tile must divide the box; on a `whole` axis the tensor's edge masks. Any other
/// index outside is a fault and its store is dropped.
template <element T, bool Readable, int... D>
class [[nodiscard("a view does nothing by itself")]] OwnTiles {
 public:
  static constexpr std::size_t rank = sizeof...(D);
  static constexpr dims::Array<rank> dims{D...};
  static_assert(detail::are_whole_bytes<T>(dims),
                "two elements of f4e2m1 share a byte: a tile spans an even number of them along "
                "the last axis");

  explicit OwnTiles(detail::TilingRef ref) : ref_(ref) {}

  [[nodiscard]] Int count(int axis, Location where = Location::current()) const {
    return Int(detail::Trusted{detail::count(ref_, axis, where)});
  }
  template <class U, int... E>
  void store(const Tile<U, E...>& tile, detail::IndexFor<D>... at, AccessHints hints = {},
             Location where = Location::current()) const {
    static_assert(std::is_same_v<T, U>,
                  "store: the tile's element type is not the output's: convert with as<T>(x)");
    static_assert(tw::dims::may_be_same(tw::dims::Array<sizeof...(E)>{E...}, dims),
                  "store: the tile does not have the tiling's shape");
    detail::store(ref_, tile.ref(), detail::index_refs(where, at...), hints, where);
  }
  [[nodiscard]] Tile<T, D...> operator()(detail::IndexFor<D>... at, AccessHints hints = {},
                                         Location where = Location::current()) const {
    static_assert(Readable, "an Out is only written: declare the parameter InOut to load it");
    return Tile<T, D...>(
        detail::Trusted{detail::load(ref_, detail::index_refs(where, at...), hints, where)});
  }

 private:
  detail::TilingRef ref_;
};

namespace detail {

template <element T, bool R, int... D, auto Shape, std::size_t... I>
struct WithDims<OwnTiles<T, R, D...>, Shape, std::index_sequence<I...>> {
  using type = OwnTiles<T, R, Shape[I]...>;
};

}  // namespace detail

/// What this block owns of an output: its own box, which no other block touches.
template <element T, bool Readable, int... D>
class Owned {
 public:
  using value_type = T;
  static constexpr int rank = sizeof...(D);
  static constexpr dims::Array<sizeof...(D)> dims{D...};
  static_assert(detail::are_whole_bytes<T>(dims),
                "two elements of f4e2m1 share a byte: a block owns an even number of them along "
                "the last axis");

  explicit Owned(detail::BoxRef ref) : ref_(ref) {}

  /// Writes the box. The tile has the partition's shape; what lies beyond the tensor's edge is
  /// dropped.
  template <class U, int... E>
  void store(const Tile<U, E...>& tile, AccessHints hints = {},
             Location where = Location::current()) const {
    static_assert(std::is_same_v<T, U>,
                  "store: the tile's element type is not the output's: convert with as<T>(x)");
    static_assert(
        tw::dims::may_be_same(tw::dims::Array<sizeof...(E)>{E...}, dims),
        "store: the tile does not have the output's shape; squeeze<Axis>() drops a reduced "
        "axis");
    detail::store_own(ref_, tile.ref(), hints, where);
  }

  /// Reads the box, as it was before the launch or as this block wrote it.
  [[nodiscard]] Tile<T, D...> load(AccessHints hints = {},
                                   Location where = Location::current()) const {
    static_assert(Readable, "an Out is only written: declare the parameter InOut to load it");
    return Tile<T, D...>(detail::Trusted{detail::load_own(ref_, hints, where)});
  }

  /// The box in smaller tiles.
  template <class A = detail::Omitted, class B = detail::Omitted, class C = detail::Omitted,
            class E = detail::Omitted, class F = detail::Omitted, class G = detail::Omitted>
  [[nodiscard]] auto tiles(A a = {}, B b = {}, C c = {}, E e = {}, F f = {}, G g = {},
                           Location where = Location::current()) const {
    return detail::tiled<OwnTiles<T, Readable>, sizeof...(D)>(ref_, where, a, b, c, e, f, g);
  }

  /// Where this block is, one index for each axis: `auto [m, n] = out.block();`
  [[nodiscard]] auto block(Location where = Location::current()) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple{Int(detail::Trusted{detail::block(ref_, static_cast<int>(I), where)})...};
    }(std::make_index_sequence<sizeof...(D)>{});
  }
  /// Which tensor of a list this block writes.
  [[nodiscard]] Int group(Location where = Location::current()) const {
    return Int(detail::Trusted{detail::group(ref_, where)});
  }
  /// The extent of an axis of the whole tensor.
  [[nodiscard]] Int extent(int axis, Location where = Location::current()) const {
    return Int(detail::Trusted{detail::extent(ref_, axis, where)});
  }
  [[nodiscard]] const detail::BoxRef& ref() const { return ref_; }

 private:
  detail::BoxRef ref_;
};

/// An output parameter: this block's own box of the tensor, to be written. A copyable handle; only
/// the host's partition is move-only.
template <element T, int... D>
class Out : public Owned<T, false, D...> {
 public:
  using Owned<T, false, D...>::Owned;
};

/// The same, and the box may also be loaded.
template <element T, int... D>
class InOut : public Owned<T, true, D...> {
 public:
  using Owned<T, true, D...>::Owned;
};

namespace detail {

template <element T, int... D, auto Shape, std::size_t... I>
struct WithDims<Out<T, D...>, Shape, std::index_sequence<I...>> {
  using type = Out<T, Shape[I]...>;
};
template <element T, int... D, auto Shape, std::size_t... I>
struct WithDims<InOut<T, D...>, Shape, std::index_sequence<I...>> {
  using type = InOut<T, Shape[I]...>;
};

template <element T, int... D>
inline constexpr bool is_output<Out<T, D...>> = true;
template <element T, int... D>
inline constexpr bool is_output<InOut<T, D...>> = true;

template <class O>
concept output = is_output<O>;

}  // namespace detail

/// The extent of an axis of the tile that a block owns.
template <int Axis, detail::output O>
auto dim(const O& output, Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, O::dims.size()), "dim: the axis is outside the output's rank");
  return Extent<O::dims[Axis]>{detail::tile_extent(output.ref(), Axis, where)};
}

/// Where this block is along one axis.
template <int Axis, detail::output O>
Int block(const O& output, Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, O::dims.size()),
                "block: the axis is outside the output's rank");
  return Int(detail::Trusted{detail::block(output.ref(), Axis, where)});
}

/// Where the block's elements lie along one axis of the tensor: a range, or the ids of a row list.
template <int Axis, detail::output O>
auto index(const O& output, Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, O::dims.size()),
                "index: the axis is outside the output's rank");
  return Tile<int, O::dims[Axis]>(detail::Trusted{detail::index(output.ref(), Axis, where)});
}

/// The same output without axes along which the block owns one element: `squeeze<0, 2>(out)`.
template <int... Axes, detail::output O>
auto squeeze(const O& output, Location where = Location::current()) {
  constexpr dims::Array<sizeof...(Axes)> axes{Axes...};
  static_assert(dims::in_range_and_distinct(axes, O::dims.size()),
                "squeeze: an axis is outside the output's rank, or named twice");
  static_assert((dims::may_equal(O::dims[Axes], 1) && ...),
                "squeeze: the block owns more than one element along an axis");
  constexpr auto kept = dims::without(O::dims, axes);
  return detail::with_dims<O, kept>(detail::squeeze(output.ref(), axes, where));
}

/// A part of an axis that the block owns whole.
template <int Axis, detail::output O>
O slice(const O& output, const Int& start, const Int& extent,
        Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, O::dims.size()),
                "slice: the axis is outside the output's rank");
  return O(detail::slice(output.ref(), Axis, start.ref(), extent.ref(), where));
}

/// A partition dealt over the blocks: `for (auto y : places(ys))` walks this block's share, and
/// each place is an `Out` (or `InOut`) of its own.
template <class O>
class Dealt {
 public:
  using place = O;
  static constexpr auto dims = O::dims;

  explicit Dealt(const detail::ParameterRef& parameter) : parameter_(parameter) {}
  [[nodiscard]] const detail::ParameterRef& parameter() const { return parameter_; }

 private:
  detail::ParameterRef parameter_;
};
template <element T, int... D>
using Outs = Dealt<Out<T, D...>>;
template <element T, int... D>
using InOuts = Dealt<InOut<T, D...>>;

template <int Axis, class O>
auto dim(const Dealt<O>& outputs, Location where = Location::current()) {
  static_assert(dims::is_axis(Axis, O::dims.size()), "dim: the axis is outside the output's rank");
  return Extent<O::dims[Axis]>{detail::dealt_extent(outputs.parameter(), Axis, where)};
}

namespace detail {

/// The dealt partitions that one walk visits together.
template <class... O>
struct DealtTogether {
  std::array<ParameterRef, sizeof...(O)> parameters;
  Location where;

  [[nodiscard]] auto at(const Int& place) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (sizeof...(O) == 1) {
        return (O(dealt(parameters[I], place.ref(), where)), ...);
      } else {
        return std::tuple<O...>{O(dealt(parameters[I], place.ref(), where))...};
      }
    }(std::index_sequence_for<O...>{});
  }
};

}  // namespace detail

/// The walk of one block over its places of one or several dealt partitions.
template <class... O>
class Places {
 public:
  Places(const Dealt<O>&... outputs, Location where)
      : outputs_{{outputs.parameter()...}, where},
        deal_(detail::deal(outputs_.parameters, where)),
        range_(Int(detail::Trusted{deal_.first}), Int(detail::Trusted{deal_.places}),
               Int(detail::Trusted{deal_.step}), where) {}

  class Iterator {
   public:
    auto operator*() const { return outputs_.at(*inner_); }
    Iterator& operator++() {
      ++inner_;
      return *this;
    }
    bool operator!=(detail::Done done) const { return inner_ != done; }

   private:
    friend class Places;
    Iterator(const detail::DealtTogether<O...>& outputs, const Range::Iterator& inner)
        : outputs_(outputs), inner_(inner) {}

    detail::DealtTogether<O...> outputs_;
    Range::Iterator inner_;
  };
  [[nodiscard]] Iterator begin() { return Iterator(outputs_, range_.begin()); }
  [[nodiscard]] detail::Done end() const { return {}; }

 private:
  detail::DealtTogether<O...> outputs_;
  detail::Deal deal_;
  Range range_;
};

/// This block's places: `for (auto y : places(ys))`, or zipped, `for (auto [y, r] : places(ys,
/// rs))`.
template <class O>
Places<O> places(const Dealt<O>& outputs, Location where = Location::current()) {
  return Places<O>(outputs, where);
}
template <class O, class P>
Places<O, P> places(const Dealt<O>& first, const Dealt<P>& second,
                    Location where = Location::current()) {
  return Places<O, P>(first, second, where);
}
template <class O, class P, class Q>
Places<O, P, Q> places(const Dealt<O>& first, const Dealt<P>& second, const Dealt<Q>& third,
                       Location where = Location::current()) {
  return Places<O, P, Q>(first, second, third, where);
}

/// The blocks of a launch that no output counts.
template <int R>
class Grid {
 public:
  static_assert(R >= 1 && R <= 6, "a grid has one to six axes");
  Grid(int parameter, const detail::PlaceRef& place)
      : parameter_{parameter, place.trace}, place_(place) {}

  /// Where this block is: `auto [i, j] = grid.block();`
  [[nodiscard]] auto block(Location where = Location::current()) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple{Int(
          detail::Trusted{detail::grid_block(parameter_, static_cast<int>(I), place_, where)})...};
    }(std::make_index_sequence<static_cast<std::size_t>(R)>{});
  }
  /// The number of blocks along an axis.
  [[nodiscard]] Int extent(int axis, Location where = Location::current()) const {
    return Int(detail::Trusted{detail::grid_extent(parameter_, axis, where)});
  }

 private:
  detail::ParameterRef parameter_;
  detail::PlaceRef place_;
};

}  // namespace tw::inline v0
