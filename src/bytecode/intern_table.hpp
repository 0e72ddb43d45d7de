// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bytecode/byte_writer.hpp"

namespace tw::inline v0::bytecode {

inline std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Byte strings in the order in which they were first met, each held once.
class InternTable {
 public:
  /// The index of an entry. Equal entries of different `kind` stay apart.
  std::uint32_t add(std::string_view entry, std::uint32_t kind = 0) {
    key_.assign(reinterpret_cast<const char*>(&kind), sizeof kind);
    key_ += entry;
    const auto [found, is_new] =
        index_.try_emplace(key_, static_cast<std::uint32_t>(entries_.size()));
    // The keys of the map keep their addresses.
    if (is_new) entries_.push_back(std::string_view(found->first).substr(sizeof kind));
    return found->second;
  }

  [[nodiscard]] bool empty() const { return entries_.empty(); }

  /// The table as a section holds it: their number, where each starts, then all of them.
  void write(ByteWriter& out, std::size_t offset_width) const {
    out.varint(entries_.size());
    out.pad_to(offset_width);
    std::uint64_t offset = 0;
    for (const std::string_view each : entries_) {
      out.fixed(offset, offset_width);
      offset += each.size();
    }
    for (const std::string_view each : entries_) out.raw(each);
  }

 private:
  std::unordered_map<std::string, std::uint32_t> index_;
  std::vector<std::string_view> entries_;
  std::string key_;
};

}  // namespace tw::inline v0::bytecode
