// SPDX-License-Identifier: Apache-2.0
// A combiner gives the next accumulator.
// expect: a combiner gives a scalar of the tile's element type
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<half, 1> c, In1<half> a) {
  c.store(reduce<0>(a.tiles<64>()(0), 0.f,
                    [](auto sum, auto x) { return as<float>(sum) + as<float>(x); }));
}
