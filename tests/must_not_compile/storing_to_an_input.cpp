// SPDX-License-Identifier: Apache-2.0
// An In is shared by all blocks and read only.
// expect: no member named .store
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  a.store(zeros<float>(64));
  c.store(a.load_like(c));
}
