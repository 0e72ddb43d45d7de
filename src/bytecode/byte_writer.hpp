// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bytecode/format.hpp"

namespace tw::inline v0::bytecode {

/// Appends the primitives of the format.
class ByteWriter {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(std::byte{value}); }

  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void varint(Enum value) {
    varint(static_cast<std::uint64_t>(value));
  }
  /// Zig-zag, in 64 bits whatever the number is.
  void signed_varint(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    varint(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
  }

  /// The low `width` bytes, little endian.
  void fixed(std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }

  void raw(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void raw(std::string_view text) { raw(std::as_bytes(std::span(text))); }

  void pad_to(std::size_t alignment) {
    while (bytes_.size() % alignment != 0) bytes_.push_back(padding_byte);
  }

  void clear() { bytes_.clear(); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace tw::inline v0::bytecode
