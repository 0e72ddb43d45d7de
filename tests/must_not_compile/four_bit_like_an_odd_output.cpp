// SPDX-License-Identifier: Apache-2.0
// The shape of an output is that of the tile.
// expect: a tile spans an even number of them along the last axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1> c, In1<f4e2m1> a) { c.store(as<float>(a.load_like(c))); }
