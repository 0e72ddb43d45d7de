// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bytecode/byte_reader.hpp"

namespace tw::inline v0::bytecode {

/// The table in a section: entries of any length, found by number.
class EntryTable {
 public:
  /// No entries.
  EntryTable() = default;
  /// Reads where the entries start; `what` names one in errors.
  EntryTable(ByteReader& section, std::size_t offset_width, const char* what);

  [[nodiscard]] std::size_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  /// An entry; throws ReadError at the place of `user` for a number that is none.
  [[nodiscard]] ByteReader entry(std::uint64_t index, const ByteReader& user) const;

 private:
  std::optional<ByteReader> data_;
  std::vector<std::size_t> starts_;  ///< of each entry in the data, and their end
  const char* what_ = "entry";
};

}  // namespace tw::inline v0::bytecode
