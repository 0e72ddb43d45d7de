// SPDX-License-Identifier: Apache-2.0
// A number is no tile: full makes one.
// expect: a variable keeps its element type and shape
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c) {
  Var x = zeros<float>(dim<0>(c));
  x = 1.f;
  c.store(x);
}
