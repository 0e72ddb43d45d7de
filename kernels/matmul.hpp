// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/kernel.hpp>

namespace tw::kernels {

/// c = a b. Swizzled and persistent schedules are hints of the launch; transposed factors are
/// strided views.
template <class T, int M = dyn, int N = dyn>
void matmul(Out<T, M, N> c, In2<T> a, In2<T> b, int bk) {
  auto [m, n] = c.block();
  auto left = a.tiles(dim<0>(c), bk);
  auto right = b.tiles(bk, dim<1>(c));
  Var acc = zeros<float>(dim<0>(c), dim<1>(c));
  for (Int k : range(left.count(1))) acc = mma(left(m, k), right(k, n), acc);
  c.store(as<T>(acc));
}

/// The same for every matrix of a batch: c (q, m, n), a (q, m, k), b (q, k, n).
template <class T, int M = dyn, int N = dyn>
void bmm(Out<T, 1, M, N> c, In3<T> a, In3<T> b, int bk) {
  auto q = block<0>(c);
  matmul(squeeze<0>(c), select<0>(a, q), select<0>(b, q), bk);
}

/// The same for lists of matrices of any sizes.
template <class T>
void group_gemm(Out<T, dyn, dyn> c, List<In2<T>> a, List<In2<T>> b, int bk) {
  matmul(c, a[c.group()], b[c.group()], bk);
}

/// The same, its blocks dealt over the places by the kernel itself.
template <class T>
void matmul_dealt(Outs<T, dyn, dyn> cs, In2<T> a, In2<T> b, int bk) {
  for (auto c : places(cs)) matmul(c, a, b, bk);
}

}  // namespace tw::kernels
