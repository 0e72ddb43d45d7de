// SPDX-License-Identifier: Apache-2.0
// Elements named one by one have no byte of their own.
// expect: gather: two elements of f4e2m1 share a byte
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 4> c, In1<f4e2m1> a, In1<int> ids) {
  c.store(as<float>(gather<0>(a.tiles<4>(), ids.tiles<4>()(0))));
}
