// SPDX-License-Identifier: Apache-2.0
// gather takes one id for each element along the gathered axis.
// expect: gather: one id for each element of the tile along the gathered axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 16> c, In2<float> a, In1<int> ids) {
  c.store(gather<0>(a.tiles<64, 16>(), ids.tiles<32>()(0), 0));
}
