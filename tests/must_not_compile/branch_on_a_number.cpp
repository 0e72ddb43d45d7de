// SPDX-License-Identifier: Apache-2.0
// A branch takes a Bool, not a number that C would test.
// expect: a condition is a Bool: compare the value with another
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, Int flag) {
  Var x = a.load_like(c);
  TW_IF(flag) x = x * 2.f;
  c.store(x);
}
