// SPDX-License-Identifier: Apache-2.0
// item takes the one element of a tile of one.
// expect: item: the tile has more than one element
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  auto x = a.load_like(c);
  c.store(x / item(x * x));
}
