// SPDX-License-Identifier: Apache-2.0
// All three operands of fma have one element type.
// expect: operands differ in element type
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<half> a, In1<half> b) {
  c.store(fma(a.load_like(c), b.load_like(c), zeros<float>(dim<0>(c))));
}
