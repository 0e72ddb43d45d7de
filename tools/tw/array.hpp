// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tilewright/core/npy.hpp>
#include <tilewright/runtime/any_tensor.hpp>

namespace tw::cli {

/// A tensor of zeros on the default device.
AnyTensor zeros(DType dtype, const Shape& shape);

/// A tensor with the elements of `array`, whose type must be the one that stands for `dtype` in a
/// file (`npy_dtype`).
AnyTensor upload(DType dtype, const NpyArray& array);

/// The elements of a tensor, once they are written, of the type that stands for theirs in a file.
NpyArray download(const AnyTensor& tensor);

/// "3x5 f32, min 0, max 1, mean 0.25", and how many elements are NaN, which count no further.
std::string statistics(const AnyTensor& tensor);

}  // namespace tw::cli
