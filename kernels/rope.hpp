// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/kernel.hpp>

namespace tw::kernels {

/// Rotary position embedding in place on queries and keys (batch, heads, sequence, width): pairs
/// (i, i + half) of the first 2 * half elements turn by the angles of cos and sin (batch or 1,
/// sequence, half). Both are cut {1, all, 1, whole}.
template <class T>
void rope(InOut<T, 1, dyn, 1, dyn> q, InOut<T, 1, dyn, 1, dyn> k, In3<T> cos, In3<T> sin,
          int half) {
  auto b = block<0>(q);
  auto s = block<2>(q);
  auto table = [&](const auto& t) {
    return as<float>(unsqueeze<0>(select<0, 1>(t, min(b, t.extent(0) - 1), s).tiles(half)(0)));
  };
  auto c = table(cos);
  auto si = table(sin);
  auto turn = [&](const auto& x) {
    auto heads = squeeze<0, 2>(x);
    auto halves = heads.tiles(dim<0>(heads), half);
    auto lo = as<float>(halves(0, 0));
    auto hi = as<float>(halves(0, 1));
    halves.store(as<T>(lo * c - hi * si), 0, 0);
    halves.store(as<T>(hi * c + lo * si), 0, 1);
  };
  turn(q);
  turn(k);
}

}  // namespace tw::kernels
