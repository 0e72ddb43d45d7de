// SPDX-License-Identifier: Apache-2.0
// A view is a value, too: slice narrows none in place.
// expect: nodiscard
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  slice<0>(a, 64, 64);
  c.store(a.load_like(c));
}
