// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/location.hpp>
#include <tilewright/runtime/stream.hpp>
#include <tilewright/runtime/tensor_state.hpp>

namespace tw::inline v0::runtime::cuda {

/// Enqueues a copy between tensors of one type and the same extents, one of them or both on a GPU;
/// that it is allowed has been checked. A copy that is enqueued on a stream of the CPU goes through
/// the current stream of a GPU, in the order of both.
void copy_with_gpu(const TensorState& to, const TensorState& from, const StreamRef& stream,
                   Location where);

/// Copies all elements, wherever they lie, by a kernel; both tensors are on the GPU of `stream`.
void copy_by_kernel(const TensorState& to, const TensorState& from, const StreamRef& stream,
                    Location where);

}  // namespace tw::inline v0::runtime::cuda
