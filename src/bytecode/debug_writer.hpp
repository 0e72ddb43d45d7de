// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tilewright/ir/op.hpp>

#include "bytecode/tables.hpp"

namespace tw::inline v0::bytecode {

/// Writes the debug section.
///
/// A place that has no scope lies in the function that its op is part of; where the function is in
/// another file, in a block of that function for the file.
class DebugWriter {
 public:
  DebugWriter(const ir::LocationTable& places, Tables& tables) : places_(places), tables_(tables) {}

  /// Notes the places of a function, unless its own is not known.
  void add(const ir::Function& function);

  /// Whether any place is known.
  [[nodiscard]] bool empty() const { return starts_.empty(); }
  void write(ByteWriter& out) const;

 private:
  static constexpr std::uint64_t unknown = 0;

  // Each gives the id of an entry.
  std::uint64_t place(ir::LocationId id);
  std::uint64_t scope(ir::ScopeId id);
  std::uint64_t function_scope(const ir::SourceScope& scope);
  std::uint64_t default_scope(const ir::SourcePlace& place);
  std::uint64_t block(std::uint64_t parent, const ir::SourceScope& scope);
  std::uint64_t file(std::string_view path);
  std::uint64_t finish();

  const ir::LocationTable& places_;
  Tables& tables_;
  std::vector<std::uint32_t> starts_;   ///< of each function, in `indices_`
  std::vector<std::uint64_t> indices_;  ///< of each function and its ops: an entry
  InternTable entries_;
  ByteWriter entry_;

  std::unordered_map<ir::ScopeId, std::uint64_t> known_scopes_;  ///< their entries

  ir::SourceScope current_;                ///< the function that is being added
  std::uint64_t current_scope_ = unknown;  ///< its entry
  /// The entries of places within it, by place.
  std::vector<std::uint64_t> known_;
};

}  // namespace tw::inline v0::bytecode
