// SPDX-License-Identifier: Apache-2.0
// The accumulator is (rows of a) x (columns of b).
// expect: mma: the accumulator must be \(rows of a\) x \(columns of b\)
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 32> c, In2<half> a, In2<half> b) {
  Var sum = zeros<float>(dim<0>(c), dim<1>(c));
  sum = mma(a.tiles<64, 16>()(0, 0), b.tiles<16, 64>()(0, 0), sum);
  c.store(sum);
}
