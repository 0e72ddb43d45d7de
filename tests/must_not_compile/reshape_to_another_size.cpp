// SPDX-License-Identifier: Apache-2.0
// reshape keeps the number of elements.
// expect: reshape: the number of elements must not change
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 8, 4> c, In1<float> a) {
  c.store(reshape(a.tiles<64>()(0), dim<0>(c), dim<1>(c)));
}
