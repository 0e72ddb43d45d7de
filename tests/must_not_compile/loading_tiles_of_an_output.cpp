// SPDX-License-Identifier: Apache-2.0
// An Out is only written; InOut may be read as well.
// expect: an Out is only written: declare the parameter InOut to load it
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1, dyn> c, int bn) {
  auto tiles = c.tiles(1, bn);
  tiles.store(tiles(0, 0) + 1.f, 0, 0);
}
