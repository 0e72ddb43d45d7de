// SPDX-License-Identifier: Apache-2.0
#include "runtime/write_bytes.hpp"

#include <cstring>

#include "runtime/cuda/transfer.hpp"

namespace tw::inline v0::runtime {

void write_bytes(const StorageRef& to, const void* from, std::size_t bytes, const StreamRef& stream,
                 Location where) {
  if (bytes == 0) return;
  if (to->device() == Device::cpu()) {
    std::memcpy(detail::memory_of(*to), from, bytes);
    return;
  }
  const auto plain = [](std::byte* into, const std::byte* source, std::size_t size) noexcept {
    std::memcpy(into, source, size);
  };
  cuda::upload(to, from, bytes, plain, stream, where);
}

}  // namespace tw::inline v0::runtime
