// SPDX-License-Identifier: Apache-2.0
// bitcast keeps the bits: both types have as many.
// expect: bitcast: the element types differ in width
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<half, 64> c, In1<float> a) { c.store(bitcast<half>(a.load_like(c))); }
