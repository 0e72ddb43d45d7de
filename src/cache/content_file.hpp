// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tilewright/cache/memory_cache.hpp>

namespace tw::inline v0::cache {

/// What a file of the disk cache holds: a key, and the blob it names, perhaps packed.
///
///   8 bytes   magic
///   16 bytes  hash of all that follows
///   u32       how the blob is stored: 0 as it is, 1 packed with zstd
///   u64       bytes of the key
///   u64       bytes of the blob when it is unpacked
///   key, stored blob
[[nodiscard]] std::vector<std::byte> encode_content(Key key, std::span<const std::byte> blob);

enum class ContentState : std::uint8_t {
  good,
  of_other_key,  ///< two keys have one hash
  corrupt,
};

struct Content {
  ContentState state = ContentState::corrupt;
  std::vector<std::byte> blob;  ///< when the state is good
};

/// Reads what encode_content() wrote for this key.
[[nodiscard]] Content decode_content(Key key, std::span<const std::byte> file);

}  // namespace tw::inline v0::cache
