// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/kernel.hpp>

namespace tw::kernels {

/// Counts how often each number of x occurs: bins[x[i]] += 1. A block takes bn numbers; -1 counts
/// nowhere.
inline void histogram(Grid<1> work, Atomic<int, dyn> bins, In1<int> x, int bn) {
  auto [i] = work.block();
  bins.add(x.tiles(bn).padded(-1)(i), 1);
}

}  // namespace tw::kernels
