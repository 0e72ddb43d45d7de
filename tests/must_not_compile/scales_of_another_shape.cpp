// SPDX-License-Identifier: Apache-2.0
// Block scales are (rows of a) x Ks and Ks x (columns of b).
// expect: mma_scaled: the scales must be \(rows of a\) x Ks and Ks x \(columns of b\)
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 64> c, In2<f8e4m3> a, In2<f8e4m3> b, In2<f8e8m0> sa, In2<f8e8m0> sb) {
  auto zero = zeros<float>(dim<0>(c), dim<1>(c));
  c.store(mma_scaled(a.tiles<64, 64>()(0, 0), b.tiles<64, 64>()(0, 0), zero,
                     sa.tiles<64, 2>()(0, 0), sb.tiles<64, 2>()(0, 0)));
}
