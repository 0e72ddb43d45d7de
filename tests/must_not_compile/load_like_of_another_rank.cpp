// SPDX-License-Identifier: Apache-2.0
// load_like takes place and shape of an output: the ranks are equal.
// expect: load_like: input and output have different ranks
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 16, 64> c, In1<float> bias) {
  c.store(bias.load_like(c) + zeros<float>(dim<0>(c), dim<1>(c)));
}
