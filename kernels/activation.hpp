// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/kernel.hpp>

namespace tw::kernels {

template <int... D>
auto sigmoid(const Tile<float, D...>& x) {
  return div(1.f, 1.f + exp(-x), {.rounding = rounding::approx, .ftz = true});
}

/// silu(a) * b of the left and the right half of x's columns.
template <class T, int M = dyn, int N = dyn>
void silu_and_mul(Out<T, M, N> c, In2<T> x) {
  auto n = x.extent(1) / 2;
  auto a = as<float>(slice<1>(x, 0, n).load_like(c));
  auto b = as<float>(slice<1>(x, n, n).load_like(c));
  c.store(as<T>(a * sigmoid(a) * b));
}

/// Gradients of silu_and_mul for both halves.
template <class T, int M = dyn, int N = dyn>
void silu_and_mul_backward(Out<T, M, N> da, Out<T, M, N> db, In2<T> dc, In2<T> x) {
  auto n = x.extent(1) / 2;
  auto a = as<float>(slice<1>(x, 0, n).load_like(da));
  auto b = as<float>(slice<1>(x, n, n).load_like(da));
  auto d = as<float>(dc.load_like(da));
  auto s = sigmoid(a);
  db.store(as<T>(d * a * s));
  da.store(as<T>(d * b * (s + a * s * (1.f - s))));
}

/// silu(a) * b of two tensors.
template <class T, int M = dyn, int N = dyn>
void swiglu(Out<T, M, N> c, In2<T> a, In2<T> b) {
  auto x = as<float>(a.load_like(c));
  c.store(as<T>(x * sigmoid(x) * as<float>(b.load_like(c))));
}

/// Gradients of swiglu.
template <class T, int M = dyn, int N = dyn>
void swiglu_backward(Out<T, M, N> da, Out<T, M, N> db, In2<T> dc, In2<T> a, In2<T> b) {
  auto x = as<float>(a.load_like(da));
  auto d = as<float>(dc.load_like(da));
  auto s = sigmoid(x);
  db.store(as<T>(d * x * s));
  da.store(as<T>(d * as<float>(b.load_like(da)) * (s + x * s * (1.f - s))));
}

/// x with elements dropped with probability p and the rest scaled up; the choice is a hash of the
/// position.
template <class T, int B = dyn>
void dropout(Out<T, B> z, In1<T> x, Float p, Int seed) {
  auto a = index<0>(z) * 1103515245 + seed;
  auto b = a ^ (a >> 16);
  auto c = b ^ (b << 8);
  auto u = as<float>((c ^ (c >> 4)) & 0x7fffffff) / 2147483647.f;
  z.store(as<T>(where(u > p, as<float>(x.load_like(z)) * (1.f / (1.f - p)), 0.f)));
}

}  // namespace tw::kernels
