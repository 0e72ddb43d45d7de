// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tilewright/core/location.hpp>
#include <tilewright/runtime/storage.hpp>
#include <tilewright/runtime/stream.hpp>

namespace tw::inline v0::runtime {

/// Copies bytes of the host to a storage that nobody else has yet; on a GPU, in the order of
/// `stream`. The bytes are not needed any more after the call.
void write_bytes(const StorageRef& to, const void* from, std::size_t bytes, const StreamRef& stream,
                 Location where);

}  // namespace tw::inline v0::runtime
