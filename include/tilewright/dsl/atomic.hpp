// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include <tilewright/dsl/view.hpp>

namespace tw::inline v0 {

/// The order of an atomic access with respect to others. There is no weaker one.
enum class memory_order : std::uint8_t { relaxed, acquire, release, acq_rel };
/// Who takes part in the order: all blocks of the device, or the whole system.
enum class memory_scope : std::uint8_t { device, system };

struct AtomicOptions {
  memory_order order = memory_order::relaxed;
  memory_scope scope = memory_scope::device;
};

namespace detail {

template <class T, class... Any>
concept one_of = (std::same_as<T, Any> || ...);

template <class T>
concept atomic_add_element = one_of<T, std::int32_t, std::int64_t, half, bf16, float, double>;
template <class T>
concept atomic_integer = one_of<T, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;
template <class T>
concept atomic_word = atomic_integer<T> || one_of<T, float, double>;
template <class T>
concept atomic_cell = sizeof(T) <= 8 && !one_of<T, bool, tf32, f4e2m1>;

inline MemoryOrder order_of(AtomicOptions options) {
  return static_cast<MemoryOrder>(options.order);
}
inline Scope scope_of(AtomicOptions options) { return static_cast<Scope>(options.scope); }

}  // namespace detail

/// Tiles of shared memory, for atomic updates of whole tiles: `a.tiles(1, bn).add(x, i, j)`.
template <element T, int... D>
class AtomicTiles {
 public:
  explicit AtomicTiles(detail::TilingRef ref) : ref_(ref) {}

  void add(const Tile<T, D...>& tile, detail::IndexFor<D>... at) const
    requires detail::atomic_add_element<T>
  {
    update(detail::AtomicOp::add, tile, detail::refs(at...), detail::line_of(at...));
  }
  void min(const Tile<T, D...>& tile, detail::IndexFor<D>... at) const
    requires detail::atomic_integer<T>
  {
    update(detail::AtomicOp::min, tile, detail::refs(at...), detail::line_of(at...));
  }
  void max(const Tile<T, D...>& tile, detail::IndexFor<D>... at) const
    requires detail::atomic_integer<T>
  {
    update(detail::AtomicOp::max, tile, detail::refs(at...), detail::line_of(at...));
  }

 private:
  void update(detail::AtomicOp op, const Tile<T, D...>& tile, detail::Indices at,
              Location where) const {
    detail::atomic_update(op, {.tiling = &ref_, .at = at}, tile.ref(), detail::MemoryOrder::relaxed,
                          detail::Scope::device, where);
  }

  detail::TilingRef ref_;
};

/// Memory that all blocks share and change: every access is atomic, so none races.
///
/// Ids name elements of a tensor of rank 1. -1 and exactly the extent name none; any other id
/// outside is a fault unless the mask excludes it.
template <element T, int... D>
class Atomic {
 public:
  using value_type = T;
  static constexpr int rank = sizeof...(D);

  explicit Atomic(detail::BoxRef ref) : ref_(ref) {}

  [[nodiscard]] Int extent(int axis, Location where = Location::current()) const {
    return Int(detail::Trusted{detail::extent(ref_, axis, where)});
  }
  template <detail::extent_like... E>
    requires(sizeof...(E) == sizeof...(D))
  [[nodiscard]] auto tiles(E... extents) const {
    return AtomicTiles<T, detail::static_extent<E>...>(
        detail::tiling(ref_, Shape{static_cast<int>(extents)...}, Location::current()));
  }

#define TILEWRIGHT_ATOMIC(NAME, OP, ELEMENT)                                                      \
  template <int... I>                                                                             \
  void NAME(const Tile<int, I...>& ids, const Scalar<T>& value, AtomicOptions options = {},       \
            Location where = Location::current()) const                                           \
    requires(rank == 1 && detail::ELEMENT<T>)                                                     \
  {                                                                                               \
    update(detail::AtomicOp::OP, ids, value.ref(), nullptr, options, where);                      \
  }                                                                                               \
  template <int... I, int... V>                                                                   \
    requires(sizeof...(V) > 0)                                                                    \
  void NAME(const Tile<int, I...>& ids, const Tile<T, V...>& value, AtomicOptions options = {},   \
            Location where = Location::current()) const                                           \
    requires(rank == 1 && detail::ELEMENT<T>)                                                     \
  {                                                                                               \
    update(detail::AtomicOp::OP, ids, value.ref(), nullptr, options, where);                      \
  }                                                                                               \
  template <int... I, int... V, int... M>                                                         \
  void NAME(const Tile<int, I...>& ids, const Tile<T, V...>& value, const Tile<bool, M...>& mask, \
            AtomicOptions options = {}, Location where = Location::current()) const               \
    requires(rank == 1 && detail::ELEMENT<T>)                                                     \
  {                                                                                               \
    update(detail::AtomicOp::OP, ids, value.ref(), &mask.ref(), options, where);                  \
  }
  TILEWRIGHT_ATOMIC(add, add, atomic_add_element)
  TILEWRIGHT_ATOMIC(min, min, atomic_integer)
  TILEWRIGHT_ATOMIC(max, max, atomic_integer)
  TILEWRIGHT_ATOMIC(and_, and_, atomic_integer)
  TILEWRIGHT_ATOMIC(or_, or_, atomic_integer)
  TILEWRIGHT_ATOMIC(xor_, xor_, atomic_integer)
#undef TILEWRIGHT_ATOMIC

  /// Adds and gives what was there before; lanes that name no element give 0.
  template <int... I, class V>
  [[nodiscard]] Tile<T, I...> fetch_add(const Tile<int, I...>& ids, const V& value,
                                        AtomicOptions options = {},
                                        Location where = Location::current()) const
    requires(rank == 1 && detail::atomic_add_element<T>)
  {
    return Tile<T, I...>(detail::Trusted{
        update(detail::AtomicOp::add, ids, as_tile(value, where), nullptr, options, where)});
  }
  /// Writes and gives what was there before.
  template <int... I, class V>
  [[nodiscard]] Tile<T, I...> exchange(const Tile<int, I...>& ids, const V& value,
                                       AtomicOptions options = {},
                                       Location where = Location::current()) const
    requires(rank == 1 && detail::atomic_word<T>)
  {
    return Tile<T, I...>(detail::Trusted{
        update(detail::AtomicOp::exchange, ids, as_tile(value, where), nullptr, options, where)});
  }
  /// Writes `value` where the element equals `expected` bit by bit; gives what was there before.
  template <int... I, class E, class V>
  [[nodiscard]] Tile<T, I...> compare_exchange(const Tile<int, I...>& ids, const E& expected,
                                               const V& value, AtomicOptions options = {},
                                               Location where = Location::current()) const
    requires(rank == 1 && detail::atomic_word<T>)
  {
    return Tile<T, I...>(detail::Trusted{detail::atomic_compare_exchange(
        {.box = &ref_, .ids = &ids.ref()}, as_tile(expected, where), as_tile(value, where),
        detail::order_of(options), detail::scope_of(options), where)});
  }
  /// Reads elements; relaxed or acquire.
  template <int... I>
  [[nodiscard]] Tile<T, I...> load(const Tile<int, I...>& ids, AtomicOptions options = {},
                                   Location where = Location::current()) const
    requires(rank == 1 && detail::atomic_cell<T>)
  {
    return Tile<T, I...>(detail::Trusted{detail::atomic_load({.box = &ref_, .ids = &ids.ref()},
                                                             detail::order_of(options),
                                                             detail::scope_of(options), where)});
  }
  /// Writes elements; relaxed or release. Where two lanes or blocks name one element, one of them
  /// wins.
  template <int... I, class V>
  void store(const Tile<int, I...>& ids, const V& value, AtomicOptions options = {},
             Location where = Location::current()) const
    requires(rank == 1 && detail::atomic_cell<T>)
  {
    detail::atomic_store({.box = &ref_, .ids = &ids.ref()}, as_tile(value, where),
                         detail::order_of(options), detail::scope_of(options), where);
  }
  template <int... I, class V, int... M>
  void store(const Tile<int, I...>& ids, const V& value, const Tile<bool, M...>& mask,
             AtomicOptions options = {}, Location where = Location::current()) const
    requires(rank == 1 && detail::atomic_cell<T>)
  {
    detail::atomic_store({.box = &ref_, .ids = &ids.ref(), .mask = &mask.ref()},
                         as_tile(value, where), detail::order_of(options),
                         detail::scope_of(options), where);
  }

 private:
  template <int... V>
  static detail::TileRef as_tile(const Tile<T, V...>& value, Location) {
    return value.ref();
  }
  static detail::TileRef as_tile(Number value, Location where) {
    return detail::constant(value, dtype_of<T>, where);
  }
  template <int... I>
  detail::TileRef update(detail::AtomicOp op, const Tile<int, I...>& ids,
                         const detail::TileRef& value, const detail::TileRef* mask,
                         AtomicOptions options, Location where) const {
    return detail::atomic_update(op, {.box = &ref_, .ids = &ids.ref(), .mask = mask}, value,
                                 detail::order_of(options), detail::scope_of(options), where);
  }

  detail::BoxRef ref_;
};

}  // namespace tw::inline v0
