// SPDX-License-Identifier: Apache-2.0
// Axes are aligned at the last one: a column has to be made with unsqueeze.
// expect: tile shapes do not broadcast
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 16, 64> c, In2<float> a, In1<float> scales) {
  c.store(a.load_like(c) * scales.tiles<16>()(0));
}
