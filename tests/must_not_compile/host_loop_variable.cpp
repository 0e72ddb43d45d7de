// SPDX-License-Identifier: Apache-2.0
// The counter of a device loop is an Int.
// expect: cannot convert .*Int.* to .int.|no viable conversion from .Int.
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  Var sum = zeros<float>(dim<0>(c));
  for (int i : range(4)) sum = sum + a.tiles<64>()(i);
  c.store(sum);
}
