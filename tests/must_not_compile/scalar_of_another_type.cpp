// SPDX-License-Identifier: Apache-2.0
// A scalar has an element type, too: an Int does not become a float by itself.
// expect: operands differ in element type
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, Int steps) { c.store(a.load_like(c) / steps); }
