// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include <tilewright/ir/type.hpp>

#include "bytecode/intern_table.hpp"

namespace tw::inline v0::bytecode {

/// The types of a module that is being written, each behind the types it is made of.
class TypeTable {
 public:
  explicit TypeTable(Version version) : version_(version) {}

  std::uint32_t index(const ir::Type& type);
  std::uint32_t index(ElementKind kind);
  /// The type of a function that takes the `parameters` and gives nothing.
  std::uint32_t signature(std::span<const std::uint32_t> parameters);

  [[nodiscard]] const InternTable& entries() const { return entries_; }

 private:
  class Encoder;

  Version version_;
  InternTable entries_;
  /// Types are shared: most are met under the same address again.
  std::unordered_map<const ir::Type::Node*, std::uint32_t> by_node_;
};

}  // namespace tw::inline v0::bytecode
