// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tw::inline v0::ir {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a word may begin with this.
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace tw::inline v0::ir
