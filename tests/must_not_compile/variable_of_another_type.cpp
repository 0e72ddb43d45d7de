// SPDX-License-Identifier: Apache-2.0
// A variable keeps its element type.
// expect: a variable keeps its element type and shape
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<half, 64> c, In1<half> a) {
  Var total = zeros<half>(dim<0>(c));
  for (Int i : range(4)) total = as<float>(total) + as<float>(a.tiles<64>()(i));
  c.store(total);
}
