// SPDX-License-Identifier: Apache-2.0
// auto names an immutable tile; Var declares a variable.
// expect: (use of deleted function .*operator=|selected deleted operator)
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  auto sum = a.load_like(c);
  for (Int i : range(4)) sum = sum + a.tiles<64>()(i);
  c.store(sum);
}
