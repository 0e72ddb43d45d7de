// SPDX-License-Identifier: Apache-2.0
// A tensor that the caller may only read cannot be lent for writing.
// expect(g++): no matching function for call to .mut\(const tw::v0::Tensor<float, 2>&\)
// expect(clang): no matching function for call to 'mut'
#include <tilewright/runtime/mut.hpp>

void f(const tw::Tensor<float, 2>& tensor) { auto loan = tw::mut(tensor); }
