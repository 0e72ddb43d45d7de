// SPDX-License-Identifier: Apache-2.0
// The columns of a match the rows of b.
// expect: mma: the columns of a must match the rows of b
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 64> c, In2<float> a, In2<float> b) {
  c.store(dot(a.tiles<64, 32>()(0, 0), b.tiles<64, 64>()(0, 0)));
}
