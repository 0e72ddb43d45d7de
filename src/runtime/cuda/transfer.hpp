// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tilewright/core/location.hpp>
#include <tilewright/runtime/storage.hpp>
#include <tilewright/runtime/stream.hpp>

namespace tw::inline v0::runtime::cuda {

/// Copies bytes of the host on their way to a GPU.
using CopyBytes = void (*)(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;

/// Writes the first bytes of a storage of a GPU with what `copy` makes of those of the host, in the
/// order of `stream`. The caller waits only for its own bytes.
void upload(const StorageRef& to, const void* from, std::size_t bytes, CopyBytes copy,
            const StreamRef& stream, Location where);

/// Fills a storage of a GPU with the bytes of one element, 1, 2, 4 or 8, in the order of `stream`.
void fill(const StorageRef& to, const std::byte* element, std::size_t element_bytes,
          const StreamRef& stream, Location where);

/// Copies bytes of a GPU to the host, and waits for them; all writes have run. Throws DeviceError.
void download(const Storage& from, std::size_t offset, std::size_t bytes, std::byte* to,
              Location where);

}  // namespace tw::inline v0::runtime::cuda
