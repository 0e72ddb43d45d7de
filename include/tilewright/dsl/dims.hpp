// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace tw::inline v0 {

/// A tile extent that is only known when the kernel is specialised.
inline constexpr int dyn = -1;

/// A tile extent as a value: `N` when the compiler knows it, else the specialisation's number.
template <int N = dyn>
struct Extent {
  int value = N;
  constexpr operator int() const { return value; }  // NOLINT(google-explicit-constructor)
};

namespace dims {

template <std::size_t N>
using Array = std::array<int, N>;

/// The compile-time result of joining two extents that do not fit.
inline constexpr int conflict = -2;

constexpr bool is_axis(int axis, std::size_t rank) {
  return axis >= 0 && axis < static_cast<int>(rank);
}

/// Whether two extents may be the same once both are known.
constexpr bool may_equal(int a, int b) { return a == dyn || b == dyn || a == b; }

/// The extent of two broadcast axes. An unknown one beside a one stays unknown.
constexpr int join(int a, int b) {
  if (a == b) return a;
  if (a == dyn || b == dyn) {
    const int known = a == dyn ? b : a;
    return known == 1 ? dyn : known;
  }
  if (a == 1) return b;
  return b == 1 ? a : conflict;
}

/// The sum of two extents.
constexpr int sum(int a, int b) { return a == dyn || b == dyn ? dyn : a + b; }

/// The extent of axis `axis` of a shape that is aligned at its last axis with one of rank `rank`.
template <std::size_t N>
constexpr int aligned(const Array<N>& shape, std::size_t rank, std::size_t axis) {
  return axis < rank - N ? 1 : shape[axis - (rank - N)];
}

template <std::size_t N, std::size_t M>
consteval auto broadcast(Array<N> a, Array<M> b) {
  constexpr std::size_t rank = N > M ? N : M;
  Array<rank> result{};
  for (std::size_t i = 0; i < rank; ++i) {
    result[i] = join(aligned(a, rank, i), aligned(b, rank, i));
  }
  return result;
}

template <std::size_t N>
consteval bool fits(Array<N> shape) {
  for (const int extent : shape) {
    if (extent == conflict) return false;
  }
  return true;
}

/// Whether a tile of shape `from` may stretch to `to`.
template <std::size_t N, std::size_t M>
consteval bool stretches(Array<N> from, Array<M> to) {
  if (N > M) return false;
  for (std::size_t i = 0; i < M; ++i) {
    const int extent = aligned(from, M, i);
    if (extent != 1 && !may_equal(extent, to[i])) return false;
  }
  return true;
}

template <std::size_t N, std::size_t M>
consteval bool may_have_equal_products(Array<N> a, Array<M> b) {
  long long product_a = 1;
  long long product_b = 1;
  for (const int extent : a) {
    if (extent == dyn) return true;
    product_a *= extent;
  }
  for (const int extent : b) {
    if (extent == dyn) return true;
    product_b *= extent;
  }
  return product_a == product_b;
}

/// Whether two shapes may be the same once both are known.
template <std::size_t N, std::size_t M>
consteval bool may_be_same(Array<N> a, Array<M> b) {
  if (N != M) return false;
  for (std::size_t i = 0; i < N; ++i) {
    if (!may_equal(a[i], b[i])) return false;
  }
  return true;
}

/// Whether two shapes may be the same but for one axis.
template <std::size_t N>
consteval bool may_equal_beside(Array<N> a, Array<N> b, int axis) {
  for (std::size_t i = 0; i < N; ++i) {
    if (static_cast<int>(i) != axis && !may_equal(a[i], b[i])) return false;
  }
  return true;
}

template <std::size_t N>
consteval auto with(Array<N> shape, int axis, int extent) {
  shape[static_cast<std::size_t>(axis)] = extent;
  return shape;
}

/// The shape without some of its axes.
template <std::size_t N, std::size_t K>
consteval auto without(Array<N> shape, Array<K> axes) {
  Array<N - K> result{};
  std::size_t next = 0;
  for (std::size_t i = 0; i < N; ++i) {
    bool dropped = false;
    for (const int axis : axes) dropped |= axis == static_cast<int>(i);
    if (!dropped) result[next++] = shape[i];
  }
  return result;
}

/// The shape with an axis of one inserted before `axis`.
template <std::size_t N>
consteval auto unsqueezed(Array<N> shape, int axis) {
  Array<N + 1> result{};
  std::size_t from = 0;
  for (std::size_t i = 0; i < N + 1; ++i) {
    result[i] = static_cast<int>(i) == axis ? 1 : shape[from++];
  }
  return result;
}

template <std::size_t N>
consteval auto permuted(Array<N> shape, Array<N> order) {
  Array<N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = shape[static_cast<std::size_t>(order[i])];
  return result;
}

template <std::size_t N>
consteval bool is_permutation(Array<N> order) {
  for (std::size_t i = 0; i < N; ++i) {
    std::size_t found = 0;
    for (const int axis : order) found += axis == static_cast<int>(i);
    if (found != 1) return false;
  }
  return true;
}

template <std::size_t N>
consteval bool in_range_and_distinct(Array<N> axes, std::size_t rank) {
  for (std::size_t i = 0; i < N; ++i) {
    if (!is_axis(axes[i], rank)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (axes[i] == axes[j]) return false;
    }
  }
  return true;
}

}  // namespace dims

namespace detail {

template <class E>
inline constexpr int static_extent = dyn;
template <int N>
inline constexpr int static_extent<Extent<N>> = N;

}  // namespace detail
}  // namespace tw::inline v0
