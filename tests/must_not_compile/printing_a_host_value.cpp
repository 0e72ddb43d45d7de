// SPDX-License-Identifier: Apache-2.0
// print shows values of the device.
// expect: print: takes tiles and scalars of the device
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, int bk) {
  print("step %d", bk);
  c.store(a.load_like(c));
}
