// SPDX-License-Identifier: Apache-2.0
// int and unsigned are different element types: a comparison would have to pick one.
// expect: operands differ in element type
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<int, 64> c, In1<int> ids, In1<unsigned> limits) {
  auto id = ids.load_like(c);
  c.store(where(id < limits.load_like(c), id, -1));
}
