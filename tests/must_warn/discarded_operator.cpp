// SPDX-License-Identifier: Apache-2.0
// The same for operators.
// expect: an operation on tiles does nothing but give its result
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  Var x = a.load_like(c);
  TW_IF(a.extent(0) > 64) x + 1.f;
  c.store(x);
}
