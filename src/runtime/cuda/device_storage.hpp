// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tilewright/runtime/storage.hpp>

namespace tw::inline v0::runtime::cuda {

/// A storage in the memory of a GPU. Throws DeviceError.
[[nodiscard]] Storage* make_storage(Device device, std::size_t bytes, Location where);
/// Destroys one that nobody uses any more; its memory goes back to its GPU.
void destroy_storage(Storage* storage) noexcept;

}  // namespace tw::inline v0::runtime::cuda
