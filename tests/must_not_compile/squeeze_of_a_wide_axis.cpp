// SPDX-License-Identifier: Apache-2.0
// squeeze drops axes of extent one.
// expect: squeeze: that axis is not of extent one
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In2<float> a) { c.store(squeeze<0>(a.tiles<16, 64>()(0, 0))); }
