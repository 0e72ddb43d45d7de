// SPDX-License-Identifier: Apache-2.0
// A C++ while cannot depend on the device: loop() and break_if do.
// expect: deleted function
// expect: operator bool
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<int, 1> c, In1<int> a) {
  Var n = a.at(0);
  while (n > 1) n = n / 2;
  c.store(full(0, 1) + n);
}
