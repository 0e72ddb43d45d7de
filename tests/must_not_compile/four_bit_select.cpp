// SPDX-License-Identifier: Apache-2.0
// A column of four-bit elements has no bytes.
// expect: select: two elements of f4e2m1 share a byte along the last axis
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 2> c, In2<f4e2m1> a, Int n) {
  c.store(as<float>(select<1>(a, n).tiles<2>()(0)));
}
