// SPDX-License-Identifier: Apache-2.0
// The axes along which cat does not join are equal.
// expect: cat: the other extents differ
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 2, 64> c, In2<float> a) {
  c.store(cat<0>(a.tiles<1, 64>()(0, 0), a.tiles<1, 32>()(0, 0)));
}
