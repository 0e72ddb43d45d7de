// SPDX-License-Identifier: Apache-2.0
// extract names an axis that the tile has.
// expect: extract: the axis is outside the tile's rank
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 32> c, In1<float> a) { c.store(extract<1>(a.tiles<64>()(0), dim<0>(c), 1)); }
