// SPDX-License-Identifier: Apache-2.0
// permute names every axis of the tile.
// expect: permute: name every axis of the tile once
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 16, 64> c, In3<float> a) {
  c.store(squeeze<0>(permute<1, 0>(a.tiles<1, 64, 16>()(0, 0, 0))));
}
