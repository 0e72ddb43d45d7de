// SPDX-License-Identifier: Apache-2.0
// Atomic add is for signed integers and floats.
// expect: atomic add takes int32_t, int64_t, half, bf16, float or double
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<unsigned, dyn> bins, In1<int> ids) {
  auto [i] = blocks.block();
  bins.add(ids.tiles<64>()(i), 1);
}
