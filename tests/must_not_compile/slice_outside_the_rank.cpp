// SPDX-License-Identifier: Apache-2.0
// slice names an axis that the view has.
// expect: slice: the axis is outside the view's rank
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) { c.store(slice<1>(a, 0, 64).load_like(c)); }
