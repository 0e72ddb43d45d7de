// SPDX-License-Identifier: Apache-2.0
// Options are aggregates: a fraction does not become an int.
// expect(g++): narrowing conversion of .* from .double. to .int
// expect(clang): cannot be narrowed to .int|cannot be narrowed
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<float, 64> c, In1<float> a) { c.store(a.load_like(c, {.latency = 2.5})); }
