// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <tilewright/kernel.hpp>

namespace tw::kernels {

/// The loss of each row of logits against its target class, and the gradient in place of the
/// logits, scaled by `scale`. logits is cut {1, whole}, loss {1}; a negative target is ignored.
template <class T>
void cross_entropy(InOut<T, 1, dyn> logits, Out<float, 1> loss, In1<int> targets, Float scale,
                   int bn) {
  auto row = block<0>(logits);
  auto target = targets.at(row);
  auto xs = logits.tiles(1, bn);
  auto columns = logits.extent(1);
  auto chunk = [&](const Int& j) {
    auto col = unsqueeze<0>(j * bn + iota(bn));
    return where(col < columns, as<float>(xs(0, j)), -INFINITY);
  };
  Var best = full<float>(-1e30f, 1, 1);
  Var total = zeros<float>(1, 1);
  Var hit = zeros<float>(1, 1);
  for (Int j : range(xs.count(1))) {
    auto x = chunk(j);
    auto next = max(best, max<1>(x));
    total = total * exp(best - next) + sum<1>(exp(x - next));
    hit = hit + sum<1>(where(unsqueeze<0>(j * bn + iota(bn)) == target, x, 0.f));
    best = next;
  }
  auto counted = target >= 0;
  loss.store(squeeze<1>(where(counted, best + log(total) - hit, 0.f)));
  for (Int j : range(xs.count(1))) {
    auto p = exp(chunk(j) - best) / total;
    auto one = where(unsqueeze<0>(j * bn + iota(bn)) == target, 1.f, zeros<float>(1, bn));
    xs.store(as<T>(where(counted, (p - one) * scale, 0.f)), 0, j);
  }
}

}  // namespace tw::kernels
