// SPDX-License-Identifier: Apache-2.0
// Shared memory that changes is only reached by ids and tiles, atomically.
// expect: no member named .load_like
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Out<int, 64> c, Atomic<int, dyn> bins) { c.store(bins.load_like(c)); }
