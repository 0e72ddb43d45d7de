// SPDX-License-Identifier: Apache-2.0
// expect: Outs and InOuts take no list
#include <vector>

#include <tilewright/tilewright.hpp>

void fill(tw::Outs<float, 4> ys) {
  for (auto y : tw::places(ys)) y.store(tw::zeros<float>(4));
}

void f(std::vector<tw::Tensor<float, 1>>& tensors) {
  tw::launch<fill>(mut(tensors).partition({4})).sync();
}
