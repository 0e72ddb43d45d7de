// SPDX-License-Identifier: Apache-2.0
// A tiling has one extent for each axis.
// expect: tiles: one extent for each axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In2<float> a) { c.store(a.tiles(64)(0)); }
