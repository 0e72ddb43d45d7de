// SPDX-License-Identifier: Apache-2.0
// The ids of a gather are a tile of rank 1.
// expect: gather: the ids are a tile of rank 1
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 16> c, In2<float> a, In2<int> ids) {
  c.store(gather<0>(a.tiles<64, 16>(), ids.tiles<64, 1>()(0, 0), 0));
}
