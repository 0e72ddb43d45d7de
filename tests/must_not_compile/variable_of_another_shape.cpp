// SPDX-License-Identifier: Apache-2.0
// A variable keeps its shape.
// expect: a variable keeps its element type and shape
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 64> c, In2<float> a) {
  Var total = zeros<float>(Extent<64>(), Extent<1>());
  for (Int j : range(4)) total = total + a.tiles<64, 64>()(0, j);
  c.store(total + zeros<float>(dim<0>(c), dim<1>(c)));
}
