// SPDX-License-Identifier: Apache-2.0
#include "bytecode/byte_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tw::inline v0::bytecode {

ReadError::ReadError(std::uint64_t offset, const std::string& message)
    : Error({Diagnostic{fmt::format("bytecode, offset {:#x}: {}", offset, message), {}, {}}}),
      offset_(offset) {}

std::uint64_t ByteReader::long_varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    const std::uint64_t bits = next & 0x7fu;
    if (shift == 63 && bits > 1 && !context_->lenient) fail("a number has more than 64 bits");
    value |= bits << shift;
    if ((next & 0x80) == 0) return value;
  }
  fail("a number goes on after 64 bits");
}

std::uint64_t ByteReader::varint_up_to(std::uint64_t limit, const char* what) {
  const std::uint64_t value = varint();
  if (value > limit) fail(fmt::format("{} is {}, which is above {}", what, value, limit));
  return value;
}

std::size_t ByteReader::count(std::size_t bytes_each) {
  const std::uint64_t number = varint();
  if (number > context_->limits.entries) fail(fmt::format("{} entries are too many", number));
  if (number > remaining() / std::max<std::size_t>(bytes_each, 1)) {
    fail(fmt::format("{} entries do not fit into the {} bytes that are left", number, remaining()));
  }
  return static_cast<std::size_t>(number);
}

bool ByteReader::boolean() {
  const std::uint64_t value = varint();
  if (value > 1) fail(fmt::format("a boolean is {}", value));
  return value != 0;
}

std::uint64_t ByteReader::fixed(std::size_t width) {
  std::uint64_t value = 0;
  const auto taken = bytes(width);
  for (std::size_t i = 0; i < width; ++i) {
    value |= std::to_integer<std::uint64_t>(taken[i]) << (8 * i);
  }
  return value;
}

std::int64_t ByteReader::signed_fixed(std::size_t width) {
  const std::size_t unused = 64 - 8 * width;
  return static_cast<std::int64_t>(fixed(width) << unused) >> unused;
}

std::span<const std::byte> ByteReader::bytes(std::size_t size) {
  if (size > remaining()) fail(fmt::format("{} bytes are missing", size - remaining()));
  const std::span taken(file_ + position_, size);
  position_ += size;
  return taken;
}

ByteReader ByteReader::part(std::size_t size) {
  ByteReader inner = *this;
  bytes(size);
  inner.begin_ = inner.position_;
  inner.end_ = position_;
  return inner;
}

void ByteReader::skip_padding(std::size_t alignment, std::size_t origin) {
  while ((position_ - origin) % alignment != 0) {
    if (std::byte{byte()} != padding_byte && !context_->lenient) fail("padding is not 0xcb");
  }
}

void ByteReader::expect_version(Version since, std::string_view what) const {
  if (since <= context_->version) return;
  fail(fmt::format("{} came with {}, and the file is {}", what, to_string(since),
                   to_string(context_->version)));
}

void ByteReader::expect_no_bits(std::uint64_t bits, std::string_view of) const {
  if (bits != 0 && !context_->lenient) {
    fail(fmt::format("no version defines the bits {:#x} in the flags of {}", bits, of));
  }
}

void ByteReader::expect_end(const char* what) const {
  if (!at_end() && !context_->lenient) {
    fail(fmt::format("{} goes on for {} bytes that mean nothing", what, remaining()));
  }
}

}  // namespace tw::inline v0::bytecode
