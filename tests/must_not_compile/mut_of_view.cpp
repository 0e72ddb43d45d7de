// SPDX-License-Identifier: Apache-2.0
// A view is for reading.
// expect(g++): no matching function for call to .mut\(tw::v0::View<float, 2>&\)
// expect(clang): no matching function for call to 'mut'
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/mut.hpp>

void f(const tw::Tensor<float, 2>& tensor) {
  auto view = tensor.transposed();
  auto loan = tw::mut(view);
}
