// SPDX-License-Identifier: Apache-2.0
// && would have to decide while the kernel is traced: & works lane by lane.
// expect: deleted function
// expect: operator bool
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  auto x = a.load_like(c);
  c.store(where(x > 0 && x < 1, x, 0.f));
}
