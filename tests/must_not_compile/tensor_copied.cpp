// SPDX-License-Identifier: Apache-2.0
// Two tensors that own one memory could both be written: `clone` copies, a view reads.
// expect(g++): use of deleted function .tw::v0::Tensor<T, R>::Tensor\(const
// expect(clang): call to deleted constructor of 'tw::Tensor<float, 1>'
#include <tilewright/runtime/tensor.hpp>

tw::Tensor<float, 1> copy_of(const tw::Tensor<float, 1>& tensor) { return tensor; }
