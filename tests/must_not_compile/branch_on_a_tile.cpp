// SPDX-License-Identifier: Apache-2.0
// A branch takes one condition for all lanes.
// expect: a condition is one Bool for all lanes: use tw::where
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  Var x = a.load_like(c);
  TW_IF(x > 0) x = x * 2.f;
  c.store(x);
}
