// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>

namespace tw::inline v0::cache {

/// 128 bits that all bytes decide about (XXH3), the most significant byte first.
using Hash = std::array<std::byte, 16>;

/// The hash of the parts, one after the other.
[[nodiscard]] Hash hash_of(std::initializer_list<std::span<const std::byte>> parts);

/// 32 digits of base 16.
[[nodiscard]] std::string to_hex(const Hash& hash);

}  // namespace tw::inline v0::cache
