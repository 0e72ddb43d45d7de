// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "attention.hpp"

namespace tw::kernels {

struct MlaPlan {
  int bn = 64;        ///< keys in a step
  int per_split = 1;  ///< steps in a split
  int pe = 64;        ///< width of the position part
};

/// One split of multi-head latent attention at decoding: all heads share one latent key, which is
/// also the value. q (batch, heads, width), qpe (batch, heads, pe), kv (batch, keys, width), kpe
/// (batch, keys, pe); out (batch, heads, splits, width) cut {1, bh, 1, all}, lse {1, bh, 1}.
template <class T, int H = dyn, int D = dyn>
void mla_split(Out<T, 1, H, 1, D> out, Out<float, 1, H, 1> lse, In3<T> q, In3<T> qpe, In3<T> kv,
               In3<T> kpe, Float scale, MlaPlan plan) {
  auto [b, h, split, _] = out.block();
  auto heads = dim<1>(out);
  auto width = dim<3>(out);
  auto query = select<0>(q, b).tiles(heads, width)(h, 0);
  auto query_pe = select<0>(qpe, b).tiles(heads, plan.pe)(h, 0);
  auto keys = select<0>(kv, b).tiles(plan.bn, width);
  auto keys_pe = select<0>(kpe, b).tiles(plan.bn, plan.pe);
  OnlineSoftmax<H, D> softmax(heads, width);
  for (Int j : range(split * plan.per_split, min((split + 1) * plan.per_split, keys.count(0)))) {
    auto key = keys(j, 0);
    auto raw = mma(query_pe, transpose(keys_pe(j, 0)), dot(query, transpose(key)));
    auto inside = unsqueeze<0>(j * plan.bn + iota(plan.bn)) < kv.extent(1);
    softmax.add(where(inside, raw * (scale * log2_e), -INFINITY), key);
  }
  squeeze<0, 2>(out).store(as<T>(softmax.result()));
  squeeze<0, 2>(lse).store(squeeze<1>(softmax.log_sum()));
}

/// The same over chosen keys: `chosen` (batch, keys) names rows of kv; -1 and any id outside name
/// none.
template <class T, int H = dyn, int D = dyn>
void sparse_mla(Out<T, 1, H, D> out, In3<T> q, In3<T> qpe, In3<T> kv, In3<T> kpe, In2<int> chosen,
                Float scale, MlaPlan plan) {
  auto [b, h, _] = out.block();
  auto heads = dim<1>(out);
  auto width = dim<2>(out);
  auto query = select<0>(q, b).tiles(heads, width)(h, 0);
  auto query_pe = select<0>(qpe, b).tiles(heads, plan.pe)(h, 0);
  auto keys = select<0>(kv, b).tiles(plan.bn, width).padded(0);
  auto keys_pe = select<0>(kpe, b).tiles(plan.bn, plan.pe).padded(0);
  auto lists = select<0>(chosen, b).tiles(plan.bn).padded(-1);
  OnlineSoftmax<H, D> softmax(heads, width);
  for (Int j : range(lists.count(0))) {
    auto ids = lists(j);
    auto key = gather<0>(keys, ids, 0);
    auto raw = mma(query_pe, transpose(gather<0>(keys_pe, ids, 0)), dot(query, transpose(key)));
    auto inside = unsqueeze<0>((ids >= 0) & (ids < kv.extent(1)));
    softmax.add(where(inside, raw * (scale * log2_e), -INFINITY), key);
  }
  squeeze<0>(out).store(as<T>(softmax.result()));
}

}  // namespace tw::kernels
