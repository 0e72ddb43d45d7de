// SPDX-License-Identifier: Apache-2.0
// A launch reads tensors, and borrows lent ones, as often as one likes.
#include <tilewright/tilewright.hpp>

using namespace tw;

void accumulate(InOut<float, dyn> c, In1<float> a) { c.store(c.load() + a.load_like(c)); }

Tensor<float, 1> of_its_own() {
  auto a = empty<float>(8);
  auto c = zeroed<float>(8);
  for (int i = 0; i < 4; ++i) launch<accumulate>(mut(c).partition({2}), a).sync();
  return c;
}

void of_the_caller(Tensor<float, 1>& c, const Tensor<float, 1>& a) {
  for (int i = 0; i < 4; ++i) {
    if (i % 2 == 0) launch<accumulate>(mut(c).partition({2}), a).sync();
  }
}
