// SPDX-License-Identifier: Apache-2.0
// unsqueeze names an axis that the result has.
// expect: unsqueeze: the axis is outside the result's rank
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 1> c, In1<float> a) { c.store(unsqueeze<2>(a.tiles<64>()(0))); }
