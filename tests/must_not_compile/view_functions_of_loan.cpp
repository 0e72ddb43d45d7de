// SPDX-License-Identifier: Apache-2.0
// A part of a loan takes the loan's place, so that no element is lent twice.
// expect(g++): passing .tw::v0::Mut<float, 2>. as .this. argument discards qualifiers
// expect(clang): 'this' argument to member function 'split' is an lvalue, but function has rvalue ref-qualifier
#include <tilewright/runtime/mut.hpp>

void f(tw::Tensor<float, 2>& tensor) {
  auto loan = tw::mut(tensor);
  auto halves = loan.split(0, 1);
}
