// SPDX-License-Identifier: Apache-2.0
// expect: check_argument(<2,|\(\) \[with int Argument = 2;)
// expect: this kernel parameter is an input: pass a Tensor, View or Shared
#include <tilewright/tilewright.hpp>

void copy_of(tw::Out<float, tw::dyn> y, tw::In1<float> x) { y.store(x.load_like(y)); }

void f(tw::Tensor<float, 1>& y, const tw::Tensor<double, 1>& x) {
  tw::launch<copy_of>(mut(y).partition({4}), x).sync();
}
