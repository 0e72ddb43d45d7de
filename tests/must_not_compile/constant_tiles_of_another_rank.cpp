// SPDX-License-Identifier: Apache-2.0
// The same for extents as template arguments.
// expect: tiles: one extent for each axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In2<float> a) { c.store(squeeze<0>(a.tiles<64>()(0, 0))); }
