// SPDX-License-Identifier: Apache-2.0
// Functions of two tiles mix element types as little as operators do.
// expect: operands differ in element type
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, In1<bf16> b) {
  c.store(max(a.load_like(c), b.load_like(c)));
}
