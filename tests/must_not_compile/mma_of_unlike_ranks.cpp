// SPDX-License-Identifier: Apache-2.0
// A batch axis belongs to all three tiles or to none.
// expect: mma: the factors and the accumulator differ in rank
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1, 64, 64> c, In3<half> a, In2<half> b) {
  c.store(mma(a.tiles<1, 64, 32>()(0, 0, 0), b.tiles<32, 64>()(0, 0),
              zeros<float>(dim<0>(c), dim<1>(c), dim<2>(c))));
}
