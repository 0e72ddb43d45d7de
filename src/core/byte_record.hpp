// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace tw::inline v0 {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie");

/// Appends numbers, little endian, and bytes.
class RecordWriter {
 public:
  template <std::unsigned_integral Number>
  RecordWriter& number(Number value) {
    return raw(std::as_bytes(std::span(&value, 1)));
  }
  RecordWriter& raw(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Takes the same from bytes that nobody vouches for. Once there is too little, everything that is
/// taken is zero or empty and is_whole() is false.
class RecordReader {
 public:
  explicit RecordReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <std::unsigned_integral Number>
  Number number() {
    Number value = 0;
    const std::span<const std::byte> bytes = raw(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::span<const std::byte> raw(std::uint64_t size) {
    if (size > rest_.size()) {
      is_whole_ = false;
      rest_ = {};
      return {};
    }
    const std::span<const std::byte> taken = rest_.first(static_cast<std::size_t>(size));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

  [[nodiscard]] std::span<const std::byte> rest() const { return rest_; }
  [[nodiscard]] bool is_whole() const { return is_whole_; }

 private:
  std::span<const std::byte> rest_;
  bool is_whole_ = true;
};

}  // namespace tw::inline v0
