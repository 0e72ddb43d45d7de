// SPDX-License-Identifier: Apache-2.0
// select names axes that the view has.
// expect: select: an axis is outside the view's rank, or named twice
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In2<float> a, Int i) { c.store(select<2>(a, i).tiles<64>()(0)); }
