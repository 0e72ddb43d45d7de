// SPDX-License-Identifier: Apache-2.0
// A number of the device may be odd.
// expect: slice: two elements of f4e2m1 share a byte along the last axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 2> c, In1<f4e2m1> a, Int n) {
  c.store(as<float>(slice<0>(a, n, 2).tiles<2>()(0)));
}
