// SPDX-License-Identifier: Apache-2.0
// Ids name elements of a tensor of rank 1.
// expect: ids name elements of a tensor of rank 1: update tiles\(\) instead
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<int, dyn, dyn> bins, In1<int> ids) {
  auto [i] = blocks.block();
  bins.add(ids.tiles<64>()(i), 1);
}
