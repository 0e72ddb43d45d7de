// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <tilewright/dsl/unsafe/access.hpp>

namespace tw::inline v0::unsafe {

/// A base address with extents and strides: a tensor that nothing checks.
template <element T, int R>
class TensorView {
 public:
  using value_type = T;
  static constexpr int rank = R;

  explicit TensorView(tw::detail::Trusted trusted) : ref_(std::move(trusted.ref)) {}
  [[nodiscard]] const tw::detail::TileRef& ref() const { return ref_; }

 private:
  tw::detail::TileRef ref_;
};

/// A tensor view divided into tiles: what `partition_view`, `strided_view` and
/// `gather_scatter_view` give. An index outside its index space is undefined; within the last tile
/// of an axis loads read the padding, or anything without one, and stores drop what lies outside.
template <element T, int R>
class TileView {
 public:
  using value_type = T;
  static constexpr int rank = R;

  explicit TileView(tw::detail::Trusted trusted) : ref_(std::move(trusted.ref)) {}
  [[nodiscard]] const tw::detail::TileRef& ref() const { return ref_; }

 private:
  tw::detail::TileRef ref_;
};

namespace detail {

using Integers = std::span<const Integer>;

template <int R>
constexpr std::array<int, R> identity_map() {
  std::array<int, R> map{};
  std::iota(map.begin(), map.end(), 0);
  return map;
}

/// What a tile view is besides the tensor view that it divides.
struct TileViewOptions {
  std::span<const int> tile;
  std::span<const int> dim_map = {};
  std::span<const int> traversal_strides = {};
  int sparse_axis = 0;
  std::optional<Padding> padding = std::nullopt;
};

[[nodiscard]] TILEWRIGHT_API TileRef tensor_view(const TileRef& base, Integers extents,
                                                 Integers strides, Location where);
[[nodiscard]] TILEWRIGHT_API TileRef tensor_view(const tw::detail::BoxRef& box, Location where);
[[nodiscard]] TILEWRIGHT_API TileRef tile_view(Opcode code, const TileRef& tensor,
                                               const TileViewOptions& options, Location where);

/// What a load through a view of `R` axes gives: only the specialisation knows its extents.
template <element T, std::size_t... I>
auto loaded_tile(std::vector<TileRef> results, std::index_sequence<I...>) {
  return loaded<T, (static_cast<void>(I), dyn)...>(std::move(results));
}

}  // namespace detail

/// A tensor at any address: `tensor_view(token, p, {m, 64}, {n, 1})`, strides in elements. Plain
/// numbers are part of the view's type, so that accesses may rely on them.
template <element T, int R>
[[nodiscard]] TensorView<T, R> tensor_view(Token, const Pointer<T>& base,
                                           const Integer (&extents)[R], const Integer (&strides)[R],
                                           Location where = Location::current()) {
  return TensorView<T, R>(
      detail::Trusted{detail::tensor_view(base.ref(), extents, strides, where)});
}
/// The whole tensor of a parameter, as the parameter's view sees it.
template <parameter_view V>
[[nodiscard]] auto tensor_view(Token, const V& view, Location where = Location::current()) {
  return TensorView<typename V::value_type, V::rank>(
      detail::Trusted{detail::tensor_view(view.ref(), where)});
}

template <int R>
struct PartitionOptions {
  std::optional<Padding> padding = std::nullopt;
  /// The tensor's axis along which each axis of the tile runs.
  std::array<int, R> dim_map = detail::identity_map<R>();
};

/// Tiles of these extents, powers of two, side by side: tile `i` begins at element `i * extent`.
template <element T, int R>
[[nodiscard]] TileView<T, R> partition_view(Token, const TensorView<T, R>& tensor,
                                            const int (&tile)[R], PartitionOptions<R> options = {},
                                            Location where = Location::current()) {
  return TileView<T, R>(detail::Trusted{detail::tile_view(
      detail::Opcode::make_partition_view, tensor.ref(),
      {.tile = tile, .dim_map = options.dim_map, .padding = options.padding}, where)});
}

/// Tiles that begin at multiples of the traversal strides, so that they overlap or leave gaps.
/// Needs Tile IR 13.3.
template <element T, int R>
[[nodiscard]] TileView<T, R> strided_view(Token, const TensorView<T, R>& tensor,
                                          const int (&tile)[R], const int (&traversal_strides)[R],
                                          PartitionOptions<R> options = {},
                                          Location where = Location::current()) {
  return TileView<T, R>(
      detail::Trusted{detail::tile_view(detail::Opcode::make_strided_view, tensor.ref(),
                                        {.tile = tile,
                                         .dim_map = options.dim_map,
                                         .traversal_strides = traversal_strides,
                                         .padding = options.padding},
                                        where)});
}

/// Tiles whose elements along the sparse axis are named one by one: the index there is a tile of
/// indices, the others count tiles. Needs Tile IR 13.3.
template <element T, int R>
[[nodiscard]] TileView<T, R> gather_scatter_view(Token, const TensorView<T, R>& tensor,
                                                 const int (&tile)[R], int sparse_axis,
                                                 std::optional<Padding> padding = std::nullopt,
                                                 Location where = Location::current()) {
  return TileView<T, R>(detail::Trusted{
      detail::tile_view(detail::Opcode::make_gather_scatter_view, tensor.ref(),
                        {.tile = tile, .sparse_axis = sparse_axis, .padding = padding}, where)});
}

/// The extents of a tensor view: `auto [m, n] = unsafe::tensor_shape(token, t);`
template <element T, int R>
[[nodiscard]] std::array<Int, R> tensor_shape(Token, const TensorView<T, R>& tensor,
                                              Location where = Location::current()) {
  return detail::Op(detail::Opcode::get_tensor_shape, where)
      .operand(tensor.ref())
      .template give_ints<R>();
}
/// The number of tiles along each axis, partial ones included.
template <element T, int R>
[[nodiscard]] std::array<Int, R> index_space_shape(Token, const TileView<T, R>& view,
                                                   Location where = Location::current()) {
  return detail::Op(detail::Opcode::get_index_space_shape, where)
      .operand(view.ref())
      .template give_ints<R>();
}

/// Options of an access through a view. The scope counts unless the order is weak.
template <int R>
struct ViewOptions {
  MemoryOrdering order = MemoryOrdering::weak;  ///< or relaxed; of a load acquire, a store release
  MemoryScope scope = MemoryScope::device;
  OrderToken after = {};
  /// Promises, for each axis, that the tile lies inside as a whole. Needs Tile IR 13.4.
  std::array<bool, R> inbounds = {};
  AccessHints hints = {};
};

namespace detail {

template <int R>
Op& describe(Op& op, const ViewOptions<R>& options) {
  return op.access(options)
      .hints(options.hints)
      .set(AttributeName::inbounds, ir::IntArray(options.inbounds.begin(), options.inbounds.end()));
}

}  // namespace detail

/// Reads a tile: `auto [x, done] = unsafe::load(token, view, {i, j});`
template <element T, int R>
[[nodiscard]] auto load(Token, const TileView<T, R>& view, const Integer (&at)[R],
                        ViewOptions<R> options = {}, Location where = Location::current()) {
  detail::Op op(detail::Opcode::load_view_tko, where);
  op.operand(view.ref()).group(at);
  return detail::loaded_tile<T>(
      detail::describe(op, options).give({op.tile_of(view.ref()), detail::token()}),
      std::make_index_sequence<R>());
}

/// Writes a tile.
template <element T, int R, int... D>
  requires(sizeof...(D) == static_cast<std::size_t>(R))
OrderToken store(Token, const TileView<T, R>& view, const Integer (&at)[R],
                 const Tile<T, D...>& tile, ViewOptions<R> options = {},
                 Location where = Location::current()) {
  detail::Op op(detail::Opcode::store_view_tko, where);
  op.operand(tile.ref()).operand(view.ref()).group(at);
  return detail::describe(op, options).template give<OrderToken>(detail::token());
}

struct ReductionOptions {
  MemoryScope scope = MemoryScope::device;  ///< or tl_blk
  OrderToken after = {};
};

/// Updates each element of a tile atomically, relaxed; nothing is given back. For partition and
/// strided views (those with padding from Tile IR 13.5 on), and the modes and elements of
/// `atomic_rmw` but `xchg`. Needs Tile IR 13.3.
template <element T, int R, int... D>
  requires(sizeof...(D) == static_cast<std::size_t>(R))
OrderToken atomic_red(Token, AtomicMode mode, const TileView<T, R>& view, const Integer (&at)[R],
                      const Tile<T, D...>& tile, ReductionOptions options = {},
                      Location where = Location::current()) {
  return detail::Op(detail::Opcode::atomic_red_view_tko, where)
      .operand(view.ref())
      .group(at)
      .operand(tile.ref())
      .operand(options.after.ref())
      .order(MemoryOrdering::relaxed, options.scope)
      .set(detail::AttributeName::mode, mode)
      .template give<OrderToken>(detail::token());
}

}  // namespace tw::inline v0::unsafe
