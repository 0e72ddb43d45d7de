// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <tilewright/kernel.hpp>

namespace tw::kernels {

struct AttentionPlan {
  int bn = 64;          ///< keys in a step
  bool causal = false;  ///< a query sees no later key
};

/// softmax(scale q k^T) v for a block of query rows, without ever holding all the scores. Tensors
/// are (batch * heads, sequence, width).
template <class T, int M = dyn, int D = dyn>
void attention(Out<T, 1, M, D> out, In3<T> q, In3<T> k, In3<T> v, Float scale, AttentionPlan plan) {
  auto [head, block, _] = out.block();
  auto rows = dim<1>(out);
  auto width = dim<2>(out);
  auto ks = select<0>(k, head).tiles(plan.bn, width);
  auto vs = select<0>(v, head).tiles(plan.bn, width);
  auto query = squeeze<0>(q.load_like(out));
  auto keys = k.extent(1);
  auto row = unsqueeze<1>(block * rows + iota(rows));

  Var best = full(-INFINITY, rows, 1);  // running maximum of each row's scores
  Var total = zeros<float>(rows, 1);    // running sum of their exponentials
  Var acc = zeros<float>(rows, width);

  auto steps = plan.causal ? min(ks.count(0), ceil_div(block * rows + rows, plan.bn)) : ks.count(0);
  for (Int j : range(steps)) {
    Var score = dot(query, transpose(ks(j, 0))) * (scale * 1.44269504f);
    auto col = unsqueeze<0>(j * plan.bn + iota(plan.bn));
    if (plan.causal) {
      TW_IF((j + 1) * plan.bn > block * rows)  // this tile meets the diagonal
      score = where(row >= col, score, -INFINITY);
    }
    TW_IF((j + 1) * plan.bn > keys)  // this tile runs past the last key
    score = where(col < keys, score, -INFINITY);
    auto next = max(best, max<1>(score));
    auto p = exp2(score - next);
    auto fade = exp2(best - next);
    total = total * fade + sum<1>(p);
    acc = mma(as<T>(p), vs(j, 0), acc * fade);
    best = next;
  }
  out.store(unsqueeze<0>(as<T>(acc / total)));
}

}  // namespace tw::kernels
