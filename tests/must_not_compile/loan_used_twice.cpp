// SPDX-License-Identifier: Apache-2.0
// expect(clang): invalid invocation of method 'transposed' on a temporary object while it is in the 'consumed' state
#include <utility>

#include <tilewright/runtime/mut.hpp>

void f(tw::Tensor<float, 2>& tensor) {
  auto loan = tw::mut(tensor);
  auto first = std::move(loan).transposed();
  auto second = std::move(loan).transposed();
}
