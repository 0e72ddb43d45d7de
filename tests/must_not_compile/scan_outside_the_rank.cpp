// SPDX-License-Identifier: Apache-2.0
// A scan names an axis that the tile has.
// expect: scan axis is outside the tile's rank
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) { c.store(cumsum<1>(a.load_like(c))); }
