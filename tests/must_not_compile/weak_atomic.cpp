// SPDX-License-Identifier: Apache-2.0
// There is no order weaker than relaxed.
// expect: .weak. is not a member of|no member named .weak.
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<int, dyn> bins, In1<int> ids) {
  auto [i] = blocks.block();
  bins.add(ids.tiles<64>()(i), 1, {.order = memory_order::weak});
}
