// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/kernel.hpp>

namespace tw::kernels {

/// Scores are kept in base 2, where the exponential is cheapest.
inline constexpr float log2_e = 1.44269504f;

/// softmax(scores) values of a block of M rows, a tile of keys at a time (Milakov and Gimelshein,
/// "Online normalizer calculation for softmax"). Scores are base-2 logarithms; masked ones are
/// -infinity.
template <int M, int D>
struct OnlineSoftmax {
  Var<Tile<float, M, 1>> best;   ///< running maximum of each row
  Var<Tile<float, M, 1>> total;  ///< running sum of the exponentials below it
  Var<Tile<float, M, D>> acc;    ///< running sum of the values they weigh

  // A finite start keeps a row whose scores are all masked so far from becoming NaN.
  OnlineSoftmax(Extent<M> rows, Extent<D> width)
      : best(full<float>(-1e30f, rows, Extent<1>{})),
        total(zeros<float>(rows, Extent<1>{})),
        acc(zeros<float>(rows, width)) {}

  template <class T, int N, int N2>
  void add(const Tile<float, M, N>& score, const Tile<T, N2, D>& value) {
    auto next = max(best, max<1>(score));
    auto p = exp2(score - next);
    auto fade = exp2(best - next);
    total = total * fade + sum<1>(p);
    acc = mma(as<T>(p), value, acc * fade);
    best = next;
  }
  /// One more score without a value: an attention sink.
  void add_sink(const Tile<float, M, 1>& score) {
    auto next = max(best, score);
    auto fade = exp2(best - next);
    total = total * fade + exp2(score - next);
    acc = acc * fade;
    best = next;
  }
  /// The weighted values; zero for a row without keys.
  [[nodiscard]] auto result() const { return where(total > 0.f, acc / total, 0.f); }
  /// The base-2 logarithm of each row's sum.
  [[nodiscard]] auto log_sum() const { return best + log2(total); }
};

}  // namespace tw::kernels
