// SPDX-License-Identifier: Apache-2.0
// select takes one index for each axis it names.
// expect: select: one index for each axis that is named
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In3<float> a, Int i) { c.store(select<0, 1>(a, i).tiles<64>()(0)); }
