// SPDX-License-Identifier: Apache-2.0
// A tile is a value: an operation whose result is not used does nothing.
// expect: an operation on tiles does nothing but give its result
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  auto x = a.load_like(c);
  max(x, 0.f);
  c.store(x);
}
