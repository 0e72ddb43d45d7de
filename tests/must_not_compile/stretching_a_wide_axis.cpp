// SPDX-License-Identifier: Apache-2.0
// Only axes of extent one stretch.
// expect: broadcast_to: only axes of extent one stretch
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) { c.store(broadcast_to(a.tiles<32>()(0), dim<0>(c))); }
