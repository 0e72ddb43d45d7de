// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/dsl/shaping.hpp>

namespace tw::inline v0 {

/// a * b + acc on the tensor cores: (M, K) by (K, N) into (M, N), or with one equal leading batch
/// axis. Element pairs: f16 into f16 or f32; bf16, tf32, f32 and fp8 into f32 (fp8 also f16); f64
/// into f64; 8-bit integers into int. Products are summed in ascending k.
template <element A, int... D, element B, int... E, element C, int... F>
Tile<C, F...> mma(const Tile<A, D...>& a, const Tile<B, E...>& b, const Tile<C, F...>& acc,
                  MmaOptions options = {}, Location where = Location::current()) {
  constexpr std::size_t rank = sizeof...(F);
  static_assert(rank == 2 || rank == 3, "mma: tiles of rank 2, or 3 with a batch axis");
  static_assert(sizeof...(D) == rank && sizeof...(E) == rank,
                "mma: the factors and the accumulator differ in rank");
  if constexpr (sizeof...(D) == rank && sizeof...(E) == rank) {
    constexpr bool bytes = sizeof(A) == 1 && std::is_integral_v<A> && std::is_integral_v<B>;
    static_assert(std::is_same_v<A, B> || bytes, "mma: the two factors differ in element type");
    using L = Tile<A, D...>;
    using R = Tile<B, E...>;
    using S = Tile<C, F...>;
    static_assert(dims::may_equal(L::dims[rank - 1], R::dims[rank - 2]),
                  "mma: the columns of a must match the rows of b");
    static_assert(dims::may_equal(S::dims[rank - 2], L::dims[rank - 2]) &&
                      dims::may_equal(S::dims[rank - 1], R::dims[rank - 1]),
                  "mma: the accumulator must be (rows of a) x (columns of b)");
    static_assert(rank == 2 || (dims::may_equal(L::dims[0], R::dims[0]) &&
                                dims::may_equal(L::dims[0], S::dims[0])),
                  "mma: the batch axes differ");
  }
  return Tile<C, F...>(
      detail::Trusted{detail::mma(a.ref(), b.ref(), acc.ref(), options.fast_acc, where)});
}

/// a * b in float (f64 factors: in double, 8-bit integers: in int).
template <element A, int M, int K, element B, int K2, int N>
auto dot(const Tile<A, M, K>& a, const Tile<B, K2, N>& b, MmaOptions options = {},
         Location where = Location::current()) {
  using C = std::conditional_t<std::is_same_v<A, double>, double,
                               std::conditional_t<std::is_integral_v<A>, int, float>>;
  const Tile<C, M, N> zero(
      detail::Trusted{detail::filled(0, dtype_of<C>, Shape{a.extent(0), b.extent(1)}, where)});
  return tw::mma(a, b, zero, options, where);
}

/// The block-scaled product: each run of K / Ks elements of a row of a (column of b) is multiplied
/// by one scale. f8e4m3, f8e5m2 or f4e2m1 factors; accumulates in float.
template <element A, int M, int K, element B, int K2, int N, int M2, int N2, element S, int M3,
          int Ks, element R, int Ks2, int N3>
Tile<float, M2, N2> mma_scaled(const Tile<A, M, K>& a, const Tile<B, K2, N>& b,
                               const Tile<float, M2, N2>& acc, const Tile<S, M3, Ks>& a_scale,
                               const Tile<R, Ks2, N3>& b_scale,
                               Location where = Location::current()) {
  static_assert(std::is_same_v<A, B>, "mma_scaled: the two factors differ in element type");
  static_assert(std::is_same_v<S, R>, "mma_scaled: the two scales differ in element type");
  static_assert(dims::may_equal(K, K2), "mma_scaled: the columns of a must match the rows of b");
  static_assert(dims::may_equal(M, M2) && dims::may_equal(N, N2),
                "mma_scaled: the accumulator must be (rows of a) x (columns of b)");
  static_assert(dims::may_equal(M, M3) && dims::may_equal(N, N3) && dims::may_equal(Ks, Ks2),
                "mma_scaled: the scales must be (rows of a) x Ks and Ks x (columns of b)");
  return Tile<float, M2, N2>(detail::Trusted{
      detail::mma_scaled(a.ref(), b.ref(), acc.ref(), a_scale.ref(), b_scale.ref(), where)});
}

}  // namespace tw::inline v0
