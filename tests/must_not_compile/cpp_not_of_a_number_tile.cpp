// SPDX-License-Identifier: Apache-2.0
// ! is for tiles of bool.
// expect: deleted function
// expect: operator bool
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, In1<int> flags) {
  auto off = !flags.load_like(c);
  c.store(where(off, a.load_like(c), 0.f));
}
