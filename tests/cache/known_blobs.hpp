// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <tilewright/cache/cache.hpp>

namespace tw::tests {

/// Keys and blobs that follow from a number, so that anybody knows what a cache must give.
inline std::vector<std::byte> known_key(std::uint64_t number) {
  std::vector<std::byte> key(24, std::byte{0x5a});
  std::memcpy(key.data() + 8, &number, sizeof number);
  return key;
}

/// Between 1 and 16 KiB of noise, which does not pack, or of steps, which do.
inline std::vector<std::byte> known_blob(std::uint64_t number) {
  std::uint64_t state = number * 0x9e3779b97f4a7c15 + 1;
  const std::size_t size = 1024 + static_cast<std::size_t>(state >> 32) % (15 * 1024);
  std::vector<std::byte> blob(size);
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    blob[i] = number % 2 == 0 ? static_cast<std::byte>(state >> 56)
                              : static_cast<std::byte>(number + i / 64);
  }
  return blob;
}

inline bool is_known(const cache::Blob& blob, std::uint64_t number) {
  return blob != nullptr && *blob == known_blob(number);
}

}  // namespace tw::tests
