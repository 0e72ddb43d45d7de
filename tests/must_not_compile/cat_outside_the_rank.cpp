// SPDX-License-Identifier: Apache-2.0
// cat names an axis that the tiles have.
// expect: cat: the axis is outside the tiles' rank
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 128> c, In1<float> a) {
  c.store(cat<1>(a.tiles<64>()(0), a.tiles<64>()(1)));
}
