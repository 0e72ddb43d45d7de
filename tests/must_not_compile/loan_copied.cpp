// SPDX-License-Identifier: Apache-2.0
// A loan is for one launch.
// expect(g++): use of deleted function .tw::v0::Mut<T, R>::Mut\(const
// expect(clang): call to deleted constructor of 'Mut<float, 1>'
#include <tilewright/runtime/mut.hpp>

void f(tw::Tensor<float, 1>& tensor) {
  auto loan = tw::mut(tensor);
  auto again = loan;
}
