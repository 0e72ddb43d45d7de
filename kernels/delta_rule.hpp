// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tilewright/kernel.hpp>

namespace tw::kernels {

template <int C>
Tile<float, C, C> eye(Extent<C> n) {
  return where(unsqueeze<1>(iota(n)) == unsqueeze<0>(iota(n)), full(1.f, n, n), 0.f);
}

/// (1 - a)^-1 of a strictly lower triangular a, row by row.
template <int C>
Tile<float, C, C> inverse(const Tile<float, C, C>& a, Extent<C> n) {
  Var x = a;
  for (Int i : range(1, int(n))) {
    auto here = unsqueeze<1>(iota(n) == i);
    auto row = sum<0>(where(here, x, 0.f));
    x = x + where(here, sum<0>(transpose(row) * x), 0.f);
  }
  return x + eye(n);
}

/// The same by repeated squaring, (1 + a)(1 + a^2)(1 + a^4)...: for small a.
template <int C>
Tile<float, C, C> by_squaring(const Tile<float, C, C>& a, Extent<C> n, int steps) {
  Var x = eye(n) + a;
  Var power = a;
  for (int s = 1; s < steps; ++s) {
    power = dot(power, power);
    x = dot(x, eye(n) + power);
  }
  return x;
}

struct DeltaPlan {
  bool l2norm = false;  ///< queries and keys are normalised first
  int steps = 1;        ///< base-2 logarithm of the chunk, for the repeated squaring
  int bk = 64;          ///< values in a step
};

/// The part of the chunked gated delta rule that stays inside a chunk (Yang et al., "Gated Delta
/// Networks"): solves for the pseudo values and decayed keys of each chunk. Inputs are (batch,
/// time, heads, width), outputs (batch, heads, chunks, chunk, width) cut {1, 1, 1, all, all}, v_out
/// {1, 1, 1, all, whole}, g_out {1, 1, 1, all}.
template <class T, int C = dyn, int K = dyn>
void delta_intra(Out<T, 1, 1, 1, C, K> q_out, Out<T, 1, 1, 1, C, K> k_out,
                 Out<T, 1, 1, 1, C, dyn> v_out, Out<T, 1, 1, 1, C, K> decay_out,
                 Out<float, 1, 1, 1, C> g_out, In4<T> q, In4<T> k, In4<T> v, In3<T> beta, In3<T> g,
                 Float scale, DeltaPlan plan) {
  auto b = block<0>(q_out);
  auto h = block<1>(q_out);
  auto chunk = block<2>(q_out);
  auto n = dim<3>(q_out);
  auto width = dim<4>(q_out);
  auto rows = [&](const auto& x, auto w, auto j) {
    return as<float>(select<0, 2>(x, b, h).tiles(n, w)(chunk, j));
  };
  auto column = [&](const auto& x) {
    return as<float>(unsqueeze<1>(select<0, 2>(x, b, h).tiles(n)(chunk)));
  };
  auto unit = [&](auto x) -> decltype(x) {
    if (plan.l2norm) return x * rsqrt(sum<1>(x * x) + 1e-6f);
    return x;
  };
  auto put = [&](const auto& out, const auto& x) { squeeze<0, 1, 2>(out).store(as<T>(x)); };

  auto key = unit(rows(k, width, 0));
  auto gate = cumsum<0>(column(g));
  auto weight = column(beta);
  auto row = unsqueeze<1>(iota(n));
  auto col = unsqueeze<0>(iota(n));
  auto decay = where(row >= col, exp(gate - transpose(gate)), 0.f);
  auto a = where(row > col, -(dot(key * weight, transpose(key)) * decay), 0.f);
  Var solved = a;
  if (plan.l2norm) {
    solved = inverse(a, n);
  } else
    TW_IF(item(max<0>(sum<1>(abs(a)))) < 1.f) { solved = by_squaring(a, n, plan.steps); }
  else {
    solved = inverse(a, n);
  }

  auto vs = squeeze<0, 1, 2>(v_out).tiles(n, plan.bk);
  for (Int j : range(vs.count(1))) vs.store(as<T>(dot(solved, rows(v, plan.bk, j) * weight)), 0, j);
  put(decay_out, dot(solved, key * weight * exp(gate)));
  put(k_out, key);
  put(q_out, unit(rows(q, width, 0)) * scale);
  squeeze<0, 1, 2>(g_out).store(squeeze<1>(gate));
}

/// The part that runs over the chunks: out (batch, heads, chunks, chunk, values) is cut {1, 1,
/// whole, whole, bv}, `last` (batch, heads, keys, values) {1, 1, all, bv}. Inputs are the outputs
/// of delta_intra; n is the chunk's length and width that of a key.
template <class T, int V = dyn>
void delta_inter(Out<T, 1, 1, dyn, dyn, V> out, std::optional<Out<float, 1, 1, dyn, V>> last,
                 In5<T> q, In5<T> k, In5<T> v, In5<T> decayed, In4<float> g,
                 std::optional<In4<float>> first, int n, int width) {
  auto b = block<0>(out);
  auto h = block<1>(out);
  auto j = block<4>(out);
  auto bv = dim<4>(out);
  auto row = unsqueeze<1>(iota(n));
  auto col = unsqueeze<0>(iota(n));
  Var state = zeros<float>(width, bv);
  if (first) state = select<0, 1>(*first, b, h).tiles(width, bv)(0, j);
  auto outs = squeeze<0, 1>(out).tiles(1, n, bv);
  for (Int c : range(outs.count(0))) {
    auto part = [&](const auto& x, auto w, auto i) {
      return as<float>(select<0, 1, 2>(x, b, h, c).tiles(n, w)(0, i));
    };
    auto gate = unsqueeze<1>(select<0, 1, 2>(g, b, h, c).tiles(n)(0));
    auto query = part(q, width, 0);
    auto key = part(k, width, 0);
    auto value = part(v, bv, j) - dot(part(decayed, width, 0), state);
    auto decay = where(row >= col, exp(gate - transpose(gate)), 0.f);
    auto inside = dot(dot(query, transpose(key)) * decay, value);
    outs.store(unsqueeze<0>(as<T>(dot(query * exp(gate), state) + inside)), c, 0, 0);
    auto end = select<0, 1, 2>(g, b, h, c).at(n - 1);
    state = state * exp(end) + dot(transpose(key * exp(end - gate)), value);
  }
  if (last) squeeze<0, 1>(*last).store(state);
}

/// The same rule step by step: out (batch, time, heads, values) is cut {1, whole, 1, bv}, `last`
/// {1, 1, all, bv}.
template <class T>
void delta_recurrent(Out<T, 1, dyn, 1, dyn> out, std::optional<Out<float, 1, 1, dyn, dyn>> last,
                     In4<T> q, In4<T> k, In4<T> v, In3<T> gate, In3<T> beta,
                     std::optional<In4<float>> first, Float scale, int width) {
  auto b = block<0>(out);
  auto hv = block<2>(out);
  auto j = block<3>(out);
  auto bv = dim<3>(out);
  auto h = hv / (v.extent(2) / q.extent(2));
  Var state = zeros<float>(width, bv);
  if (first) state = select<0, 1>(*first, b, hv).tiles(width, bv)(0, j);
  auto outs = squeeze<0, 2>(out).tiles(1, bv);
  for (Int t : range(v.extent(1))) {
    auto query = transpose(as<float>(select<0, 2>(q, b, h).tiles(1, width)(t, 0))) * scale;
    auto key = transpose(as<float>(select<0, 2>(k, b, h).tiles(1, width)(t, 0)));
    auto value = as<float>(select<0, 2>(v, b, hv).tiles(1, bv)(t, j));
    auto kept = state * exp(as<float>(gate.at(b, t, hv)));
    state = kept + key * ((value - sum<0>(kept * key)) * as<float>(beta.at(b, t, hv)));
    outs.store(as<T>(sum<0>(state * query)), t, 0);
  }
  if (last) squeeze<0, 1>(*last).store(state);
}

}  // namespace tw::kernels
