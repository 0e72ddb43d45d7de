// SPDX-License-Identifier: Apache-2.0
// A tile stored into a tiling has the tiling's shape.
// expect: store: the tile does not have the tiling's shape
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1, dyn> c) {
  c.tiles(Extent<1>(), Extent<32>()).store(zeros<float>(Extent<1>(), Extent<64>()), 0, 0);
}
