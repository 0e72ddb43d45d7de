// SPDX-License-Identifier: Apache-2.0
// The tile that is stored has the partition's shape.
// expect: store: the tile does not have the output's shape
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) { c.store(a.tiles<32>()(0)); }
