// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tilewright/kernel.hpp>

namespace tw::kernels {

/// Rows divided by their root mean square, times (offset + w). A block holds whole rows: y is cut
/// {rows, all}.
template <class T, int M = dyn, int N = dyn>
void rms_norm(Out<T, M, N> y, std::optional<Out<float, M>> rstd, In2<T> x, In1<T> w, Float eps,
              float offset) {
  auto v = as<float>(x.load_like(y));
  auto r = rsqrt(sum<1>(v * v) / as<float>(x.extent(1)) + eps);
  if (rstd) rstd->store(squeeze<1>(r));
  y.store(as<T>(v * r * (offset + as<float>(unsqueeze<0>(w.tiles(dim<1>(y))(0))))));
}

/// The same for rows of any length, read twice: y is cut {1, whole}.
template <class T>
void rms_norm_chunked(Out<T, 1, dyn> y, In2<T> x, In1<T> w, Float eps, float offset, int bn) {
  auto row = block<0>(y);
  auto xs = x.tiles(1, bn);
  Var squares = zeros<float>(1, 1);
  for (Int j : range(xs.count(1))) {
    auto v = as<float>(xs(row, j));
    squares = squares + sum<1>(v * v);
  }
  auto r = rsqrt(squares / as<float>(x.extent(1)) + eps);
  auto ys = y.tiles(1, bn);
  for (Int j : range(ys.count(1))) {
    auto weight = offset + as<float>(unsqueeze<0>(w.tiles(bn)(j)));
    ys.store(as<T>(as<float>(xs(row, j)) * r * weight), 0, j);
  }
}

/// Gradients of rms_norm with offset 0. dx is dealt over the blocks, each of which sums one row of
/// dw.
template <class T, int M = dyn, int N = dyn>
void rms_norm_backward(Outs<T, M, N> dxs, Out<float, 1, N> dw, In2<T> dy, In2<T> x, In1<T> w,
                       In1<float> rstd) {
  auto weight = as<float>(unsqueeze<0>(w.tiles(dim<1>(dw))(0)));
  Var total = zeros<float>(1, dim<1>(dw));
  for (auto dx : places(dxs)) {
    auto g = as<float>(dy.load_like(dx));
    auto r = unsqueeze<1>(rstd.tiles(dim<0>(dx))(block<0>(dx)));
    auto unit = as<float>(x.load_like(dx)) * r;
    auto mean = sum<1>(unit * g * weight) / as<float>(x.extent(1));
    dx.store(as<T>((g * weight - unit * mean) * r));
    total = total + sum<0>(g * unit);
  }
  dw.store(total);
}

/// Rows with their mean taken off, divided by their deviation, times w, plus bias. Rows of any
/// length: y is cut {1, whole}; mean and rstd are kept when their outputs are given.
template <class T>
void layer_norm(Out<T, 1, dyn> y, std::optional<Out<float, 1>> mean,
                std::optional<Out<float, 1>> rstd, In2<T> x, In1<T> w, std::optional<In1<T>> bias,
                Float eps, int bn) {
  auto row = block<0>(y);
  auto n = as<float>(x.extent(1));
  auto xs = x.tiles(1, bn);
  Var total = zeros<float>(1, 1);
  for (Int j : range(xs.count(1))) total = total + sum<1>(as<float>(xs(row, j)));
  auto m = total / n;
  Var spread = zeros<float>(1, 1);
  for (Int j : range(xs.count(1))) {
    auto inside = unsqueeze<0>(j * bn + iota(bn)) < x.extent(1);
    auto d = where(inside, as<float>(xs(row, j)) - m, 0.f);
    spread = spread + sum<1>(d * d);
  }
  auto r = rsqrt(spread / n + eps);
  if (mean) mean->store(squeeze<0>(m));
  if (rstd) rstd->store(squeeze<0>(r));
  auto ys = y.tiles(1, bn);
  for (Int j : range(ys.count(1))) {
    Var v = (as<float>(xs(row, j)) - m) * r * as<float>(unsqueeze<0>(w.tiles(bn)(j)));
    if (bias) v = v + as<float>(unsqueeze<0>(bias->tiles(bn)(j)));
    ys.store(as<T>(v), 0, j);
  }
}

}  // namespace tw::kernels
