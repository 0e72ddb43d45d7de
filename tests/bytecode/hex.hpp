// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <fmt/format.h>

namespace tw::bytecode {

/// "7f 54 69", without line breaks.
inline std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte each : bytes) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{:02x}", std::to_integer<unsigned>(each));
  }
  return text;
}

}  // namespace tw::bytecode
