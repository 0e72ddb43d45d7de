// SPDX-License-Identifier: Apache-2.0
// transpose is for matrices; permute for everything else.
// expect: transpose: takes a matrix; permute reorders other axes
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1, 16, 64> c, In3<float> a) {
  c.store(transpose(a.tiles<1, 64, 16>()(0, 0, 0)));
}
