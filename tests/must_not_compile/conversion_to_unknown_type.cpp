// SPDX-License-Identifier: Apache-2.0
// The target of a conversion is an element type.
// expect(g++): no matching function for call to .as<
// expect(clang): does not satisfy .element
// expect(clang): no matching function for call to .as.
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<signed char, 64> c, In1<float> a) { c.store(as<char16_t>(a.load_like(c))); }
