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

}  // namespace tw::kernels
