// SPDX-License-Identifier: Apache-2.0
// A slice has the element type of the tile it goes into.
// expect: insert: the tiles differ in element type
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, In1<half> b) {
  c.store(insert<0>(b.tiles<32>()(0), a.load_like(c), 1));
}
