// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>
#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::bytecode {

/// Bytes that are no bytecode, or ask for more than the limits allow.
class TILEWRIGHT_API ReadError : public Error {
 public:
  ReadError(std::uint64_t offset, const std::string& message);

  /// Where in the file, in bytes from its start.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }

 private:
  std::uint64_t offset_;
};

/// What a file may ask for.
struct ReadLimits {
  std::size_t memory = std::size_t{1} << 30;   ///< bytes that the module takes, about
  std::size_t entries = std::size_t{1} << 24;  ///< of one table or list
  std::size_t depth = 64;                      ///< of blocks in blocks, and of calls in calls
  std::size_t rank = 32;                       ///< of a type
};

struct ReadOptions {
  /// Accepts what NVIDIA's reader accepts although it has no meaning: sections that occur twice
  /// (the last counts), flags that no version defines, numbers of more than 64 bits (the low ones
  /// count), bytes that nothing refers to.
  bool lenient = false;
  ReadLimits limits = {};
};

/// Whether a file begins as bytecode of any version does.
[[nodiscard]] TILEWRIGHT_API bool is_bytecode(std::span<const std::byte> file);

/// The version in a file's header; throws ReadError if it is none that `read` knows.
TILEWRIGHT_API ir::Version read_version(std::span<const std::byte> file);

/// The module in a file of CUDA Tile IR bytecode. The bytes need not be trusted: whatever they are,
/// this returns or throws ReadError, in time and memory that the limits bound. What is returned
/// matches the op table, but still has to be verified.
TILEWRIGHT_API ir::Module read(std::span<const std::byte> file, const ReadOptions& options = {});

}  // namespace tw::inline v0::bytecode
