// SPDX-License-Identifier: Apache-2.0
// An atomic access has one value for each id.
// expect: an atomic value has the shape of the ids, or stretches to it
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<float, dyn> sums, In1<int> ids, In1<float> x) {
  auto [i] = blocks.block();
  sums.add(ids.tiles<64>()(i), x.tiles<32>()(i));
}
