// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tilewright/ir/diff.hpp>

namespace tw::inline v0::ir {

/// Bytes that are equal exactly where the things that they were made of are.
class ContentKey {
 public:
  void number(std::uint64_t value);
  void text(std::string_view value);
  void type(const Type& type) { text(type ? to_string(type) : std::string()); }
  /// The attribute; one that has its fallback value counts as absent. Sites and places count by
  /// what they are in the module's tables.
  void attribute(const Module& module, const Attribute& value, const AttributeRow& row,
                 const DiffOptions& options);
  /// With the scopes that it lies in and the calls that it was inlined from; nothing if places are
  /// ignored.
  void place(const LocationTable& places, LocationId id, const DiffOptions& options);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void scope(const LocationTable& places, ScopeId id);

  std::string bytes_;
};

/// A place of the module by itself.
std::string place_key(const Module& module, LocationId place, const DiffOptions& options);

/// All of an op but its operands, its blocks and where it stands.
std::string head_key(const Module& module, const Function& function, const Op& op,
                     const DiffOptions& options);

}  // namespace tw::inline v0::ir
