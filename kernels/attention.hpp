// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include "online_softmax.hpp"

namespace tw::kernels {

struct AttentionPlan {
  int bn = 64;          ///< keys in a step
  bool causal = false;  ///< a query sees no later key; the last query is level with the last key
  int window = 0;       ///< a query sees its last `window` keys only; 0: all
  float softcap = 0;    ///< scores s become softcap * tanh(s / softcap); 0: unchanged
};

/// softmax(scale q k^T) v for a block of query rows, without ever holding all the scores.
///
/// q and out are (batch, heads, queries, width), k and v (batch, key heads, keys, width);
/// neighbouring query heads share a key head. `lse` takes the base-2 logarithm of each row's sum;
/// `sink` has one more score a head.
template <class T, int M = dyn, int D = dyn>
void attention(Out<T, 1, 1, M, D> out, std::optional<Out<float, 1, 1, M>> lse, In4<T> q, In4<T> k,
               In4<T> v, std::optional<In1<float>> sink, Float scale, AttentionPlan plan) {
  auto [b, h, m, _] = out.block();
  auto rows = dim<2>(out);
  auto width = dim<3>(out);
  auto key_head = h / (out.extent(1) / k.extent(1));
  auto ks = select<0, 1>(k, b, key_head).tiles(plan.bn, width);
  auto vs = select<0, 1>(v, b, key_head).tiles(plan.bn, width);
  auto query = squeeze<0>(squeeze<0>(q.load_like(out)));
  auto keys = k.extent(2);
  auto first =
      m * rows + (keys - q.extent(2));  // the position of the block's first query among the keys
  auto row = unsqueeze<1>(first + iota(rows));

  auto count = ks.count(0);
  auto end = plan.causal ? max(min(count, ceil_div(first + rows, plan.bn)), 0) : count;
  auto begin = plan.window ? min(max(first - (plan.window - 1), 0) / plan.bn, end) : Int(0);
  OnlineSoftmax<M, D> softmax(rows, width);
  for (Int j : range(begin, end)) {
    auto raw = dot(query, transpose(ks(j, 0))) * scale;
    Var score = plan.softcap != 0 ? tanh(raw / plan.softcap) * plan.softcap : raw;
    score = score * log2_e;
    auto col = unsqueeze<0>(j * plan.bn + iota(plan.bn));
    score = where(col < keys, score, -INFINITY);
    if (plan.causal) score = where(col <= row, score, -INFINITY);
    if (plan.window) score = where(row - col < plan.window, score, -INFINITY);
    softmax.add(score, vs(j, 0));
  }
  if (sink) softmax.add_sink(full<float>(0, rows, Extent<1>{}) + sink->at(h) * log2_e);
  out.store(unsqueeze<0>(unsqueeze<0>(as<T>(softmax.result()))));
  if (lse) squeeze<0, 1>(*lse).store(squeeze<1>(softmax.log_sum()));
}

struct SplitPlan {
  int bn = 64;        ///< keys in a step
  int per_split = 1;  ///< steps in a split
};

/// Attention of one query a head, its keys split over blocks: the parts and their logarithms are
/// combined by `splitk_reduce`. q is (batch, heads, width), k and v (batch, key heads, keys,
/// width), out (batch, heads, splits, width) cut {1, heads of a key head, 1, all}, lse the same
/// without width.
template <class T, int H = dyn, int D = dyn>
void attention_decode(Out<T, 1, H, 1, D> out, Out<float, 1, H, 1> lse, In3<T> q, In4<T> k, In4<T> v,
                      std::optional<In1<float>> sink, Float scale, SplitPlan plan) {
  auto [b, key_head, split, _] = out.block();
  auto heads = dim<1>(out);
  auto width = dim<3>(out);
  auto ks = select<0, 1>(k, b, key_head).tiles(plan.bn, width);
  auto vs = select<0, 1>(v, b, key_head).tiles(plan.bn, width);
  auto query = select<0>(q, b).tiles(heads, width)(key_head, 0);
  OnlineSoftmax<H, D> softmax(heads, width);
  for (Int j : range(split * plan.per_split, min((split + 1) * plan.per_split, ks.count(0)))) {
    auto inside = unsqueeze<0>(j * plan.bn + iota(plan.bn)) < k.extent(2);
    auto score = where(inside, dot(query, transpose(ks(j, 0))) * (scale * log2_e), -INFINITY);
    softmax.add(score, vs(j, 0));
  }
  if (sink) {
    auto logits = unsqueeze<1>(sink->tiles(heads)(key_head)) * log2_e;
    softmax.add_sink(where(split == 0, logits, -INFINITY));  // once a row
  }
  squeeze<0, 2>(out).store(as<T>(softmax.result()));
  squeeze<0, 2>(lse).store(squeeze<1>(softmax.log_sum()));
}

/// Combines the parts of split attention: part (batch, heads, splits, width), lse (batch, heads,
/// splits).
template <class T, int D = dyn>
void splitk_reduce(Out<T, 1, 1, D> out, In4<T> part, In3<float> lse, int splits) {
  auto [b, h, d] = out.block();
  auto logs = unsqueeze<1>(select<0, 1>(lse, b, h).tiles(splits).padded(-INFINITY)(0));
  auto weight = exp2(logs - max(max<0>(logs), -1e30f));
  auto x = as<float>(select<0, 1>(part, b, h).tiles(splits, dim<2>(out))(0, d));
  auto total = sum<0>(weight);
  squeeze<0>(out).store(as<T>(where(total > 0.f, sum<0>(x * weight) / total, 0.f)));
}

}  // namespace tw::kernels
