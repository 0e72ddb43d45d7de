// SPDX-License-Identifier: Apache-2.0
// A dealt partition is many places: name one.
// expect: load_like: takes an output, or one place of a dealt one
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Outs<float, 64> cs, In1<float> a) {
  auto x = a.load_like(cs);
  for (auto c : places(cs)) c.store(x);
}
