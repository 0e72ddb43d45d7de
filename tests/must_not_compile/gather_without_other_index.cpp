// SPDX-License-Identifier: Apache-2.0
// The axes that are not gathered have a tile index each.
// expect: gather: one index for each axis but the gathered one
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 16> c, In2<float> a, In1<int> ids) {
  c.store(gather<0>(a.tiles<64, 16>(), ids.tiles<64>()(0)));
}
