// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <tilewright/kernel.hpp>

namespace tw::kernels {

/// Each row of x, normalised; a block holds whole rows.
template <class T, int M = dyn, int N = dyn>
void softmax(Out<T, M, N> y, In2<T> x) {
  auto row = as<float>(x.padded(-INFINITY).load_like(y));
  auto e = exp(row - max<1>(row));
  y.store(as<T>(e / sum<1>(e)));
}

/// The same for rows of any length: three passes over tiles of `bn` columns. y is cut {1, whole}.
template <class T>
void softmax_chunked(Out<T, 1, dyn> y, In2<T> x, int bn) {
  auto row = block<0>(y);
  auto xs = x.tiles(1, bn).padded(-INFINITY);
  auto ys = y.tiles(1, bn);
  Var best = full(-INFINITY, 1, 1);
  for (Int j : range(xs.count(1))) best = max(best, max<1>(as<float>(xs(row, j))));
  Var total = zeros<float>(1, 1);
  for (Int j : range(xs.count(1))) total = total + sum<1>(exp(as<float>(xs(row, j)) - best));
  for (Int j : range(ys.count(1))) ys.store(as<T>(exp(as<float>(xs(row, j)) - best) / total), 0, j);
}

}  // namespace tw::kernels
