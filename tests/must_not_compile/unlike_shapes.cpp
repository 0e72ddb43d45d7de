// SPDX-License-Identifier: Apache-2.0
// Shapes broadcast where extents are equal or one.
// expect: tile shapes do not broadcast
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 64> c, In2<float> a) {
  auto x = a.tiles<64, 64>()(0, 0);
  auto y = a.tiles<64, 32>()(0, 0);
  c.store(x + y);
}
