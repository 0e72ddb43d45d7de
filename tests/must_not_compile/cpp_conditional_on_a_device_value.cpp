// SPDX-License-Identifier: Apache-2.0
// ?: decides while the kernel is traced: where works lane by lane.
// expect: deleted function
// expect: operator bool
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, Float limit) {
  auto x = a.load_like(c);
  c.store(limit > 0.f ? x : -x);
}
