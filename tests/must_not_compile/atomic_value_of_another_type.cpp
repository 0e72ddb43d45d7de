// SPDX-License-Identifier: Apache-2.0
// An atomic value has the tensor's element type: a neighbour must not be touched.
// expect: an atomic value has the tensor's element type: convert with as<T>\(x\)
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<half, dyn> sums, In1<int> ids, In1<float> x) {
  auto [i] = blocks.block();
  sums.add(ids.tiles<64>()(i), x.tiles<64>()(i));
}
