// SPDX-License-Identifier: Apache-2.0
// The tile that is stored has the output's element type.
// expect: store: the tile's element type is not the output's: convert with as<T>\(x\)
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<half, 64> c, In1<float> a) { c.store(a.load_like(c)); }
