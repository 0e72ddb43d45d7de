// SPDX-License-Identifier: Apache-2.0
// A C++ if decides while the kernel is traced: it cannot depend on the device.
// expect: deleted function
// expect: operator bool
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  auto [i] = c.block();
  if (i > 3) c.store(a.load_like(c));
}
