// SPDX-License-Identifier: Apache-2.0
// Blocks share no scope smaller than the device.
// expect: .block. is not a member of|no member named .block.
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<int, dyn> bins, In1<int> ids) {
  auto [i] = blocks.block();
  bins.add(ids.tiles<64>()(i), 1, {.scope = memory_scope::block});
}
