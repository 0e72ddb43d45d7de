// SPDX-License-Identifier: Apache-2.0
// Options are named: a name that does not exist is found.
// expect(g++): no matching function for call to .div
// expect(clang): cannot convert initializer list argument to .FloatOptions
// expect(clang): no matching function for call to .div
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  c.store(div(a.load_like(c), 3.f, {.round = rounding::approx}));
}
