// SPDX-License-Identifier: Apache-2.0
// permute names every axis of the tile once.
// expect: permute: name every axis of the tile once
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 16, 64> c, In2<float> a) { c.store(permute<0, 0>(a.load_like(c))); }
