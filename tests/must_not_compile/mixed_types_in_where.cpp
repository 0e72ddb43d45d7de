// SPDX-License-Identifier: Apache-2.0
// Both values of where have one element type.
// expect: where: the two values differ in element type
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, In1<half> b) {
  auto x = a.load_like(c);
  c.store(where(x > 0, x, b.load_like(c)));
}
