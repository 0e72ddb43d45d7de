// SPDX-License-Identifier: Apache-2.0
// Extents are known when the kernel is specialised; an Int is not.
// expect: an extent is a plain integer that is known when the kernel is specialised
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  auto n = a.extent(0);
  c.store(sum<0>(zeros<float>(n)) + zeros<float>(dim<0>(c)));
}
