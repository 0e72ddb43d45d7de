// SPDX-License-Identifier: Apache-2.0
// Element types are a sealed set: no long double.
// expect(g++): template constraint failure for .*class tw::v0::In
// expect(clang): does not satisfy .element
// expect(clang): constraints not satisfied for class template .In
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<long double> a) { c.store(as<float>(a.load_like(c))); }
