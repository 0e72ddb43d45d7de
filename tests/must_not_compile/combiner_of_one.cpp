// SPDX-License-Identifier: Apache-2.0
// A combiner takes an accumulator and an element.
// expect: a combiner takes \(accumulator, element\)
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 1> c, In1<float> a) {
  c.store(reduce<0>(a.tiles<64>()(0), 0.f, [](Float x) { return x + 1.f; }));
}
