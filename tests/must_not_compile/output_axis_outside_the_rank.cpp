// SPDX-License-Identifier: Apache-2.0
// dim, block and index name axes that the output has.
// expect: block: the axis is outside the output's rank
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In2<float> a) { c.store(select<0>(a, block<1>(c)).load_like(c)); }
