// SPDX-License-Identifier: Apache-2.0
// The else belongs to TW_IF: where host is false, nothing happens at all.
// expect: \[-Wdangling-else\]|\[-Wparentheses\]
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, Int steps, bool host) {
  Var x = a.load_like(c);
  if (host)
    TW_IF(steps > 4) x = x * 2.f;
  else
    x = x + 1.f;
  c.store(x);
}
