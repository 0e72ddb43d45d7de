// SPDX-License-Identifier: Apache-2.0
// A tile has one index for each axis.
// expect(g++): no match for call to
// expect(clang): no matching function for call|type .* does not provide a call operator
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 16, 64> c, In2<float> a) { c.store(a.tiles<16, 64>()(0)); }
