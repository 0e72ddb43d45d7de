// SPDX-License-Identifier: Apache-2.0
// fetch_add is for those who need the old value: add is cheaper.
// expect: use add where the old value does not matter
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<int, dyn> bins, In1<int> ids) {
  auto [i] = blocks.block();
  bins.fetch_add(ids.tiles<64>()(i), 1);
}
