// SPDX-License-Identifier: Apache-2.0
// A tile begins and ends between bytes.
// expect: a tile spans an even number of them along the last axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1> c, In1<f4e2m1> a) { c.store(as<float>(a.tiles<1>()(0))); }
