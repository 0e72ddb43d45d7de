// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "kernels/online_softmax.hpp"

/// The kernels of a BERT encoder. Activations are (texts, tokens, features); rows of a text beyond
/// its length hold numbers that nobody reads.
namespace minilm {

using tw::all, tw::dim, tw::dyn, tw::Extent, tw::In1, tw::In2, tw::In3, tw::Int, tw::Out, tw::Tile,
    tw::Var;

/// Rows with mean 0 and variance 1, times w plus b.
template <int M, int N>
Tile<float, M, N> normalised(const Tile<float, M, N>& x, const In1<float>& w, const In1<float>& b,
                             Extent<N> width) {
  constexpr float epsilon = 1e-12f;
  auto n = static_cast<float>(int(width));
  auto centred = x - sum<1>(x) / n;
  auto unit = centred * rsqrt(sum<1>(centred * centred) / n + epsilon);
  return unit * unsqueeze<0>(w.tiles(width)(0)) + unsqueeze<0>(b.tiles(width)(0));
}

/// The sum of each token's word, position and segment vectors, normalised. y is cut {rows, all}.
template <int M = dyn, int N = dyn>
void embed(Out<float, M, N> y, In1<int> words, In1<int> positions, In2<float> word_table,
           In2<float> position_table, In1<float> segment, In1<float> w, In1<float> b) {
  auto m = block<0>(y);
  auto rows = dim<0>(y);
  auto width = dim<1>(y);
  auto row = [&](const auto& table, const auto& ids) {
    return gather<0>(table.tiles(rows, width).padded(0), ids.tiles(rows).padded(-1)(m), 0);
  };
  auto sum = row(word_table, words) + row(position_table, positions);
  y.store(normalised(sum + unsqueeze<0>(segment.tiles(width)(0)), w, b, width));
}

/// The Gauss error function to 1.5e-7 (Abramowitz and Stegun, Handbook of Mathematical
/// Functions, 7.1.26).
template <int... D>
auto erf(const Tile<float, D...>& x) {
  auto size = abs(x);
  auto t = 1.f / (1.f + 0.3275911f * size);
  auto series = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t +
                 0.254829592f) *
                t;
  auto y = 1.f - series * exp(-(size * size));
  return where(x < 0.f, -y, y);
}

template <int... D>
auto gelu(const Tile<float, D...>& x) {
  return 0.5f * x * (1.f + erf(x * 0.70710678f));
}

struct LinearPlan {
  int bk = 128;       ///< features summed in a step
  bool gelu = false;  ///< applied to the result
};

/// y = x w + b, w being (features in, features out).
template <int M = dyn, int N = dyn>
void linear(Out<float, M, N> y, In2<float> x, In2<float> w, In1<float> b, LinearPlan plan) {
  auto [m, n] = y.block();
  auto left = x.tiles(dim<0>(y), plan.bk);
  auto right = w.tiles(plan.bk, dim<1>(y));
  Var acc = broadcast_to(unsqueeze<0>(b.tiles(dim<1>(y))(n)), dim<0>(y), dim<1>(y));
  for (Int k : range(left.count(1))) acc = mma(left(m, k), right(k, n), acc);
  if (plan.gelu) acc = gelu(acc);
  y.store(acc);
}

/// The sum of two activations, normalised. y is cut {rows, all}.
template <int M = dyn, int N = dyn>
void add_normalised(Out<float, M, N> y, In2<float> x, In2<float> residual, In1<float> w,
                    In1<float> b) {
  y.store(normalised(x.load_like(y) + residual.load_like(y), w, b, dim<1>(y)));
}

/// Self-attention; qkv holds queries, keys and values of all heads side by side, (texts, tokens, 3
/// * features). y is cut {1, queries, width of a head}, so that its column blocks are the heads.
template <int M = dyn, int D = dyn>
void self_attention(Out<float, 1, M, D> y, In3<float> qkv, In1<int> lengths, int heads, int bn) {
  auto [text, m, head] = y.block();
  auto rows = dim<1>(y);
  auto width = dim<2>(y);
  auto input = select<0>(qkv, text);
  auto keys = input.tiles(bn, width);
  auto query = input.tiles(rows, width)(m, head);
  auto length = lengths.at(text);
  auto scale = tw::kernels::log2_e / std::sqrt(static_cast<float>(int(width)));
  tw::kernels::OnlineSoftmax<M, D> softmax(rows, width);
  for (Int j : range(min(ceil_div(length, bn), keys.count(0)))) {
    auto inside = unsqueeze<0>(j * bn + tw::iota(bn)) < length;
    auto score = where(inside, dot(query, transpose(keys(j, head + heads))) * scale, -INFINITY);
    softmax.add(score, keys(j, head + 2 * heads));
  }
  y.store(unsqueeze<0>(softmax.result()));
}

/// The mean of each text's tokens, scaled to length one. y is cut {1, all}.
template <int N = dyn>
void pool(Out<float, 1, N> y, In3<float> x, In1<int> lengths, int bn) {
  auto text = block<0>(y);
  auto length = lengths.at(text);
  auto tokens = select<0>(x, text).tiles(bn, dim<1>(y));
  Var total = tw::zeros<float>(1, dim<1>(y));
  for (Int j : range(min(ceil_div(length, bn), tokens.count(0)))) {
    auto inside = unsqueeze<1>(j * bn + tw::iota(bn)) < length;
    total = total + sum<0>(where(inside, tokens(j, 0), 0.f));
  }
  auto mean = total / as<float>(length);
  y.store(mean * rsqrt(max(sum<1>(mean * mean), 1e-24f)));
}

}  // namespace minilm
