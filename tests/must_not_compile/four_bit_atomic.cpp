// SPDX-License-Identifier: Apache-2.0
// Half a byte is not changed atomically.
// expect: two elements of f4e2m1 share a byte: none is changed atomically
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<f4e2m1, dyn> a) { auto n = a.extent(0); }
