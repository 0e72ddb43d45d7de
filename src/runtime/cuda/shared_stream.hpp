// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/location.hpp>
#include <tilewright/runtime/stream.hpp>

namespace tw::inline v0::runtime::cuda {

/// The stream of a GPU that all threads share. Throws DeviceError.
[[nodiscard]] StreamRef shared_stream(Device device, Location where);
/// Ends all of them.
void release_shared_streams() noexcept;

}  // namespace tw::inline v0::runtime::cuda
