// SPDX-License-Identifier: Apache-2.0
// A vector is a matrix only after unsqueeze.
// expect: mma: tiles of rank 2, or 3 with a batch axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In2<half> a, In1<half> b) {
  c.store(mma(a.tiles<64, 32>()(0, 0), b.tiles<32>()(0), zeros<float>(dim<0>(c))));
}
