// SPDX-License-Identifier: Apache-2.0
#include "cache/hash.hpp"

#include <bit>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tw::inline v0::cache {

Hash hash_of(std::initializer_list<std::span<const std::byte>> parts) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (const std::span<const std::byte> part : parts) {
    XXH3_128bits_update(&state, part.data(), part.size());
  }
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
  return std::bit_cast<Hash>(canonical);
}

std::string to_hex(const Hash& hash) {
  std::string text;
  for (const std::byte byte : hash) text += fmt::format("{:02x}", std::to_integer<int>(byte));
  return text;
}

}  // namespace tw::inline v0::cache
