// SPDX-License-Identifier: Apache-2.0
// A block has one coordinate for each axis of the output.
// expect(g++): only 1 name provided for structured binding
// expect(g++): decomposes into 2 elements
// expect(clang): binds to 2 elements, but only 1 name was provided
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 16, 64> c, In2<float> a) {
  auto [m] = c.block();
  c.store(a.tiles<16, 64>()(m, 0));
}
