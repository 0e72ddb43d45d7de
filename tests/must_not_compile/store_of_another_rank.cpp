// SPDX-License-Identifier: Apache-2.0
// A reduction keeps its axis as one: squeeze drops it.
// expect: store: the tile does not have the output's shape
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 16> c, In2<float> a) { c.store(sum<1>(a.tiles<16, 64>()(0, 0))); }
