// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tilewright/ir/op.hpp>

#include "bytecode/attribute_writer.hpp"
#include "bytecode/tables.hpp"
#include "bytecode/wire_form.hpp"

namespace tw::inline v0::bytecode {

/// Writes the ops of one function.
class BodyWriter {
 public:
  BodyWriter(const ir::Function& function, Tables& tables)
      : function_(function),
        tables_(tables),
        forms_(WireForms::of(tables.version)),
        attributes_(tables, out_),
        numbers_(function.types.size(), unnumbered) {}

  /// The ops of the function's body; their operands are numbers of values.
  std::span<const std::byte> write();

 private:
  static constexpr std::uint32_t unnumbered = 0xffffffff;

  void define(std::span<const ir::Value> values);
  void op(const ir::Op& op);
  void results(const ir::Op& op, const WireForm& form);
  void flags(const ir::Op& op, const WireForm& form);
  void attributes(const ir::Op& op, const WireForm& form);
  void operands(const ir::Op& op, const WireForm& form);
  void uses(std::span<const ir::Value> values);
  void region(const ir::Block& block);

  const ir::Function& function_;
  Tables& tables_;
  const WireForms& forms_;
  ByteWriter out_;
  AttributeWriter attributes_;
  std::vector<std::uint32_t> numbers_;  ///< on the wire, by value
  std::uint32_t next_ = 0;
};

}  // namespace tw::inline v0::bytecode
