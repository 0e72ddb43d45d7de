// SPDX-License-Identifier: Apache-2.0
// A load whose result is not used reads for nothing.
// expect: nodiscard|declared with attribute .nodiscard
#include <tilewright/kernel.hpp>

using namespace tw;

void kernel(InOut<float, 64> c) {
  c.load();
  c.store(zeros<float>(dim<0>(c)));
}
