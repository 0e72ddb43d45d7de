// SPDX-License-Identifier: Apache-2.0
// Exchanges are of 32 or 64 bits.
// expect: atomic exchanges take elements of 32 or 64 bits
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<half, dyn> locks, Out<half, 1> old) {
  old.store(locks.exchange(zeros<int>(1), 1.f));
}
