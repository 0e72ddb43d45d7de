// SPDX-License-Identifier: Apache-2.0
// A value of the device is no index of the host.
// expect(g++): no match for .operator\[\].*operand types are .const float \[2\]. and .tw::v0::Tile<int>
// expect(clang): no viable overloaded operator\[\] for type .const float\[2\]
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) {
  const float scales[] = {1.f, 2.f};
  auto [i] = c.block();
  c.store(a.load_like(c) * scales[i % 2]);
}
