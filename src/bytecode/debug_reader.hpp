// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tilewright/ir/location.hpp>

#include "bytecode/attribute_reader.hpp"

namespace tw::inline v0::bytecode {

/// Reads the debug section, and adds to a module's places what its ops ask for.
class DebugReader {
 public:
  DebugReader(std::optional<ByteReader> section, AttributeReader& strings,
              ir::LocationTable& places, ReadContext& context);

  /// Hands out the places of one function: its own, then those of its ops, one a call. Where its
  /// own is not known, its ops have none.
  class Places {
   public:
    /// All unknown.
    Places() = default;
    Places(DebugReader& reader, ByteReader indices) : reader_(&reader), indices_(indices) {}

    ir::LocationId own();
    ir::LocationId next();
    /// Throws ReadError if there are places of more ops.
    void finish() const {
      if (indices_) indices_->expect_end("a function's list of places");
    }

   private:
    DebugReader* reader_ = nullptr;
    std::optional<ByteReader> indices_;
    bool located_ = false;
  };

  /// The places of the function that says so in `in`.
  Places function(ByteReader& in);

 private:
  /// An entry of any kind that stands for a place: itself, then where it was called from.
  ir::LocationId place(std::uint64_t id);
  ir::LocationId decode(std::uint64_t id, std::size_t depth);
  ir::LocationId plain_place(ByteReader& in, std::size_t depth);
  ir::LocationId called_from(ir::LocationId place, ir::LocationId caller, std::size_t depth,
                             const ByteReader& in);
  ir::ScopeId scope(std::uint64_t id, std::size_t depth);
  ir::ScopeId block_scope(ByteReader& in, std::size_t depth);
  ir::ScopeId function_scope(ByteReader& in);
  std::string file(std::uint64_t id);
  std::string unit(std::uint64_t id);

  ir::LocationId add(ir::SourcePlace place, const ByteReader& in);
  ir::ScopeId add(ir::SourceScope scope, const ByteReader& in);
  /// The entry, which has to be of this kind.
  ByteReader entry(std::uint64_t id, DebugTag tag);
  ByteReader entry(std::uint64_t id);
  std::uint32_t number(ByteReader& in);
  void check_depth(std::size_t depth, const ByteReader& in) const;

  AttributeReader& strings_;
  ir::LocationTable& places_;
  ReadContext& context_;
  std::vector<std::uint32_t> starts_;  ///< of each function, in `indices_`
  std::optional<ByteReader> indices_;  ///< of each function and its ops: an entry
  EntryTable entries_;
  std::vector<std::optional<ir::LocationId>> known_;  ///< by entry
  std::vector<ir::ScopeId> known_scopes_;             ///< by entry
};

}  // namespace tw::inline v0::bytecode
