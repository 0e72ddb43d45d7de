// SPDX-License-Identifier: Apache-2.0
// An input has no place of its own to load from.
// expect: load_like: takes an output, or one place of a dealt one
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a, In1<float> b) { c.store(a.load_like(b)); }
