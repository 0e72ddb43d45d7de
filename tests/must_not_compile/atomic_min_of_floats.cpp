// SPDX-License-Identifier: Apache-2.0
// No device has an atomic minimum of floats.
// expect: atomic min, max, and, or and xor take integers of 32 or 64 bits
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(Grid<1> blocks, Atomic<float, dyn> best, In1<float> a) {
  auto [i] = blocks.block();
  best.min(zeros<int>(64), a.tiles<64>()(i));
}
