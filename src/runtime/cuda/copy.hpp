// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/location.hpp>
#include <tilewright/runtime/stream.hpp>
#include <tilewright/runtime/tensor_state.hpp>

namespace tw::inline v0::runtime::cuda {

/// Enqueues a copy between tensors of one type and the same extents, where a tensor or the stream
/// is of a GPU; that it is allowed has been checked. A stream that cannot carry the copy has one
/// that can do it, a current stream, in its order: of the CPU for tensors of the CPU, else of a
/// GPU.
void copy_with_gpu(const TensorState& to, const TensorState& from, const StreamRef& stream,
                   Location where);

/// Copies all elements, wherever they lie, by a kernel; both tensors are on the GPU of `stream`.
void copy_by_kernel(const TensorState& to, const TensorState& from, const StreamRef& stream,
                    Location where);

}  // namespace tw::inline v0::runtime::cuda
