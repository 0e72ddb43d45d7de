// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tilewright/bytecode/reader.hpp>

#include "bytecode/format.hpp"

namespace tw::inline v0::bytecode {

/// What all parts of one reading share.
class ReadContext {
 public:
  ReadContext(const ReadOptions& options, Version file_version)
      : version(file_version),
        limits(options.limits),
        lenient(options.lenient),
        left_(limits.memory) {}

  /// Counts memory that the module is about to take.
  void charge(std::size_t bytes, std::uint64_t offset) {
    if (bytes > left_) throw ReadError(offset, "the module takes more memory than allowed");
    left_ -= bytes;
  }

  const Version version;
  const ReadLimits limits;
  const bool lenient;

 private:
  std::size_t left_;
};

/// Takes the primitives of the format from a part of a file, and never more than there is.
class ByteReader {
 public:
  /// The bytes from `begin` up to `end`, both offsets into the file.
  ByteReader(std::span<const std::byte> file, std::size_t begin, std::size_t end,
             const ReadContext& context)
      : file_(file.data()), begin_(begin), position_(begin), end_(end), context_(&context) {}

  [[nodiscard]] std::size_t offset() const { return position_; }
  [[nodiscard]] std::size_t remaining() const { return end_ - position_; }
  [[nodiscard]] bool at_end() const { return position_ == end_; }
  [[nodiscard]] const ReadContext& context() const { return *context_; }

  std::uint8_t byte() {
    if (at_end()) fail("the file or a part of it ends too early");
    return std::to_integer<std::uint8_t>(file_[position_++]);
  }

  std::uint64_t varint() {
    if (!at_end() && (file_[position_] & std::byte{0x80}) == std::byte{0}) return byte();
    return long_varint();
  }
  std::int64_t signed_varint() {
    const std::uint64_t bits = varint();
    return static_cast<std::int64_t>(bits >> 1 ^ (0 - (bits & 1)));
  }
  /// A varint that is at most `limit`; `what` names it in the error.
  std::uint64_t varint_up_to(std::uint64_t limit, const char* what);
  /// A number of things that take at least `bytes_each`.
  std::size_t count(std::size_t bytes_each);
  /// A byte or varint that is 0 or 1.
  bool boolean();

  /// `width` bytes, little endian.
  std::uint64_t fixed(std::size_t width);
  /// The same, as a number in two's complement.
  std::int64_t signed_fixed(std::size_t width);
  std::span<const std::byte> bytes(std::size_t size);
  /// The next `size` bytes as a part of their own.
  ByteReader part(std::size_t size);

  /// Skips padding up to a multiple of `alignment` from the start of this part, or of the file.
  void align(std::size_t alignment) { skip_padding(alignment, begin_); }
  void align_in_file(std::size_t alignment) { skip_padding(alignment, 0); }

  /// Refuses what came later than the file's version.
  void expect_version(Version since, std::string_view what) const;
  /// Refuses bits that no version defines, unless the reading is lenient.
  void expect_no_bits(std::uint64_t bits, std::string_view of) const;
  /// Refuses bytes that are left, unless the reading is lenient.
  void expect_end(const char* what) const;

  [[noreturn]] void fail(const std::string& message) const { throw ReadError(offset(), message); }

 private:
  std::uint64_t long_varint();
  void skip_padding(std::size_t alignment, std::size_t origin);

  const std::byte* file_;
  std::size_t begin_;
  std::size_t position_;
  std::size_t end_;
  const ReadContext* context_;
};

}  // namespace tw::inline v0::bytecode
