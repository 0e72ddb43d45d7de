// SPDX-License-Identifier: Apache-2.0
// select fixes each axis once.
// expect: select: an axis is outside the view's rank, or named twice
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In3<float> a, Int i, Int j) {
  c.store(select<1, 1>(a, i, j).tiles<64>()(0));
}
