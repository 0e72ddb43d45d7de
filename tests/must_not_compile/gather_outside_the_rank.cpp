// SPDX-License-Identifier: Apache-2.0
// gather names an axis that the tiling has.
// expect: gather: the axis is outside the view's rank
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, In1<int> ids) {
  c.store(gather<1>(a.tiles<64>(), ids.load_like(c)));
}
