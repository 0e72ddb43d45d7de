// SPDX-License-Identifier: Apache-2.0
// Operands of an operator have one element type.
// expect: operands differ in element type: convert one with as<T>\(x\)
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, In1<half> b) {
  c.store(a.load_like(c) + b.load_like(c));
}
