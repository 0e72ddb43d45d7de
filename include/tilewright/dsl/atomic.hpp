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

/// Complains about element types that an operation cannot change atomically.
template <AtomicOp Op, class T>
consteval void require_atomic() {
  if constexpr (Op == AtomicOp::add) {
    static_assert(one_of<T, std::int32_t, std::int64_t, half, bf16, float, double>,
                  "atomic add takes int32_t, int64_t, half, bf16, float or double");
  } else if constexpr (Op == AtomicOp::exchange) {
    static_assert(
        one_of<T, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t, float, double>,
        "atomic exchanges take elements of 32 or 64 bits");
  } else {
    static_assert(one_of<T, std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>,
                  "atomic min, max, and, or and xor take integers of 32 or 64 bits");
  }
}

/// Complains about element types that cannot be read or written atomically.
template <class T>
consteval void require_atomic_cell() {
  static_assert(sizeof(T) <= 8 && !one_of<T, bool, tf32>,
                "atomic loads and stores take numbers of 8 to 64 bits");
}

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

  void add(const Tile<T, D...>& tile, detail::IndexFor<D>... at,
           Location where = Location::current()) const {
    update<detail::AtomicOp::add>(tile, detail::index_refs(where, at...), where);
  }
  void min(const Tile<T, D...>& tile, detail::IndexFor<D>... at,
           Location where = Location::current()) const {
    update<detail::AtomicOp::min>(tile, detail::index_refs(where, at...), where);
  }
  void max(const Tile<T, D...>& tile, detail::IndexFor<D>... at,
           Location where = Location::current()) const {
    update<detail::AtomicOp::max>(tile, detail::index_refs(where, at...), where);
  }

 private:
  template <detail::AtomicOp Op>
  void update(const Tile<T, D...>& tile, detail::Indices at, Location where) const {
    detail::require_atomic<Op, T>();
    detail::atomic_update(Op, {.tiling = &ref_, .at = at}, tile.ref(), detail::MemoryOrder::relaxed,
                          detail::Scope::device, where);
  }

  detail::TilingRef ref_;
};

namespace detail {

template <element T, int... D, auto Shape, std::size_t... I>
struct WithDims<AtomicTiles<T, D...>, Shape, std::index_sequence<I...>> {
  using type = AtomicTiles<T, Shape[I]...>;
};

}  // namespace detail

/// Memory that all blocks share and change: every access is atomic, so none races.
///
/// Ids name elements of a tensor of rank 1. -1 and exactly the extent name none; any other id
/// outside is a fault unless the mask excludes it. A value is a number or a tile that broadcasts to
/// the shape of the ids.
template <element T, int... D>
class Atomic {
 public:
  using value_type = T;
  static constexpr int rank = sizeof...(D);
  static_assert(!shares_bytes(dtype_of<T>),
                "two elements of f4e2m1 share a byte: none is changed atomically");

  explicit Atomic(detail::BoxRef ref) : ref_(ref) {}

  [[nodiscard]] Int extent(int axis, Location where = Location::current()) const {
    return Int(detail::Trusted{detail::extent(ref_, axis, where)});
  }
  template <class A = detail::Omitted, class B = detail::Omitted, class C = detail::Omitted,
            class E = detail::Omitted, class F = detail::Omitted, class G = detail::Omitted>
  [[nodiscard]] auto tiles(A a = {}, B b = {}, C c = {}, E e = {}, F f = {}, G g = {},
                           Location where = Location::current()) const {
    return detail::tiled<AtomicTiles<T>, sizeof...(D)>(ref_, where, a, b, c, e, f, g);
  }

#define TILEWRIGHT_ATOMIC(NAME)                                                        \
  template <int... I, class V>                                                         \
  void NAME(const Tile<int, I...>& ids, const V& value, AtomicOptions options = {},    \
            Location where = Location::current()) const {                              \
    update<detail::AtomicOp::NAME>(ids, value, nullptr, options, where);               \
  }                                                                                    \
  template <int... I, class V, int... M>                                               \
  void NAME(const Tile<int, I...>& ids, const V& value, const Tile<bool, M...>& mask,  \
            AtomicOptions options = {}, Location where = Location::current()) const {  \
    update<detail::AtomicOp::NAME>(ids, value, &mask_for<I...>(mask), options, where); \
  }
  TILEWRIGHT_ATOMIC(add)
  TILEWRIGHT_ATOMIC(min)
  TILEWRIGHT_ATOMIC(max)
  TILEWRIGHT_ATOMIC(and_)
  TILEWRIGHT_ATOMIC(or_)
  TILEWRIGHT_ATOMIC(xor_)
#undef TILEWRIGHT_ATOMIC

  /// Adds and gives what was there before; lanes that name no element give 0.
  template <int... I, class V>
  [[nodiscard("use add where the old value does not matter")]] Tile<T, I...> fetch_add(
      const Tile<int, I...>& ids, const V& value, AtomicOptions options = {},
      Location where = Location::current()) const {
    return Tile<T, I...>(
        detail::Trusted{update<detail::AtomicOp::add>(ids, value, nullptr, options, where)});
  }
  /// Writes and gives what was there before.
  template <int... I, class V>
  [[nodiscard("use store where the old value does not matter")]] Tile<T, I...> exchange(
      const Tile<int, I...>& ids, const V& value, AtomicOptions options = {},
      Location where = Location::current()) const {
    return Tile<T, I...>(
        detail::Trusted{update<detail::AtomicOp::exchange>(ids, value, nullptr, options, where)});
  }
  /// Writes `value` where the element equals `expected` bit by bit; gives what was there before.
  template <int... I, class E, class V>
  [[nodiscard]] Tile<T, I...> compare_exchange(const Tile<int, I...>& ids, const E& expected,
                                               const V& value, AtomicOptions options = {},
                                               Location where = Location::current()) const {
    detail::require_atomic<detail::AtomicOp::exchange, T>();
    return Tile<T, I...>(detail::Trusted{detail::atomic_compare_exchange(
        target(ids, nullptr), operand<I...>(expected, where), operand<I...>(value, where),
        detail::order_of(options), detail::scope_of(options), where)});
  }
  /// Reads elements; relaxed or acquire.
  template <int... I>
  [[nodiscard]] Tile<T, I...> load(const Tile<int, I...>& ids, AtomicOptions options = {},
                                   Location where = Location::current()) const {
    detail::require_atomic_cell<T>();
    return Tile<T, I...>(detail::Trusted{detail::atomic_load(
        target(ids, nullptr), detail::order_of(options), detail::scope_of(options), where)});
  }
  /// Writes elements; relaxed or release. Where two lanes or blocks name one element, one of them
  /// wins.
  template <int... I, class V>
  void store(const Tile<int, I...>& ids, const V& value, AtomicOptions options = {},
             Location where = Location::current()) const {
    write(ids, value, nullptr, options, where);
  }
  template <int... I, class V, int... M>
  void store(const Tile<int, I...>& ids, const V& value, const Tile<bool, M...>& mask,
             AtomicOptions options = {}, Location where = Location::current()) const {
    write(ids, value, &mask_for<I...>(mask), options, where);
  }
  [[nodiscard]] const detail::BoxRef& ref() const { return ref_; }

 private:
  template <int... I>
  detail::AtomicTarget target(const Tile<int, I...>& ids, const detail::TileRef* mask) const {
    static_assert(rank == 1, "ids name elements of a tensor of rank 1: update tiles() instead");
    return {.box = &ref_, .ids = &ids.ref(), .mask = mask};
  }
  template <int... I, class U, int... V>
  static detail::TileRef operand(const Tile<U, V...>& value, Location) {
    static_assert(std::is_same_v<T, U>,
                  "an atomic value has the tensor's element type: convert with as<T>(x)");
    static_assert(dims::stretches(Tile<U, V...>::dims, Tile<int, I...>::dims),
                  "an atomic value has the shape of the ids, or stretches to it");
    return value.ref();
  }
  template <int... I>
  static detail::TileRef operand(Number value, Location where) {
    return detail::constant(value, dtype_of<T>, where);
  }
  template <int... I, int... M>
  static const detail::TileRef& mask_for(const Tile<bool, M...>& mask) {
    static_assert(dims::stretches(Tile<bool, M...>::dims, Tile<int, I...>::dims),
                  "a mask has the shape of the ids, or stretches to it");
    return mask.ref();
  }

  template <detail::AtomicOp Op, int... I, class V>
  detail::TileRef update(const Tile<int, I...>& ids, const V& value, const detail::TileRef* mask,
                         AtomicOptions options, Location where) const {
    detail::require_atomic<Op, T>();
    return detail::atomic_update(Op, target(ids, mask), operand<I...>(value, where),
                                 detail::order_of(options), detail::scope_of(options), where);
  }
  template <int... I, class V>
  void write(const Tile<int, I...>& ids, const V& value, const detail::TileRef* mask,
             AtomicOptions options, Location where) const {
    detail::require_atomic_cell<T>();
    detail::atomic_store(target(ids, mask), operand<I...>(value, where), detail::order_of(options),
                         detail::scope_of(options), where);
  }

  detail::BoxRef ref_;
};

}  // namespace tw::inline v0
