// SPDX-License-Identifier: Apache-2.0
// Both factors of a product have one element type.
// expect: mma: the two factors differ in element type
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64, 64> c, In2<half> a, In2<bf16> b) {
  c.store(dot(a.tiles<64, 32>()(0, 0), b.tiles<32, 64>()(0, 0)));
}
