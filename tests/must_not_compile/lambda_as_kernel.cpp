// SPDX-License-Identifier: Apache-2.0
// Kernels have names, for messages and profilers.
// expect: a kernel is a function that returns nothing and has a name: no lambda
#include <tilewright/tilewright.hpp>

using namespace tw;

void run() {
  auto x = zeroed<float>(4);
  launch<[](InOut<float, dyn> y) { y.store(y.load() * 2.f); }>(mut(x).partition({4})).sync();
}
