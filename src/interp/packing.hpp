// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tw::inline v0::interp {

// Memory packs two four-bit elements into a byte, the one of even index in the low half; an arena
// gives each a byte. `count` is even; `to` may be `from`.

inline void pack_nibbles(std::byte* to, const std::byte* from, std::size_t count) {
  for (std::size_t k = 0; k < count / 2; ++k) {
    to[k] = (from[2 * k] & std::byte{15}) | from[2 * k + 1] << 4;
  }
}

inline void unpack_nibbles(std::byte* to, const std::byte* from, std::size_t count) {
  for (std::size_t k = count / 2; k-- > 0;) {
    const std::byte pair = from[k];
    to[2 * k] = pair & std::byte{15};
    to[2 * k + 1] = pair >> 4;
  }
}

}  // namespace tw::inline v0::interp
