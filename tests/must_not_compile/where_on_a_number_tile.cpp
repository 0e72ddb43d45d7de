// SPDX-License-Identifier: Apache-2.0
// The condition of where is a tile of bool, not the number that C would test.
// expect: where: the condition is a tile of bool
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<int> flags, In1<float> a) {
  c.store(where(flags.load_like(c), a.load_like(c), 0.f));
}
