// SPDX-License-Identifier: Apache-2.0
// expect(g++): template constraint failure
// expect(clang): constraints not satisfied
#include <tilewright/runtime/tensor.hpp>

void f(tw::Tensor<float, 7>& tensor);
