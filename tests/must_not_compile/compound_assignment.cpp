// SPDX-License-Identifier: Apache-2.0
// A variable has no compound assignment: the declaration that is quoted says what to write.
// expect: (use of deleted function .*operator\+=|overload resolution selected deleted operator '\+=')
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  Var sum = a.load_like(c);
  sum += sum;
  c.store(sum);
}
