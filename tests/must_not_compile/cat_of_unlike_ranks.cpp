// SPDX-License-Identifier: Apache-2.0
// cat joins tiles of one rank.
// expect: cat: the tiles differ in rank
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 2, 64> c, In2<float> a, In1<float> b) {
  c.store(cat<0>(a.tiles<1, 64>()(0, 0), b.tiles<64>()(0)));
}
