// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tilewright/ir/op.hpp>

#include "bytecode/attribute_reader.hpp"
#include "bytecode/debug_reader.hpp"
#include "bytecode/type_reader.hpp"
#include "bytecode/wire_form.hpp"

namespace tw::inline v0::bytecode {

/// Reads the ops of one function.
class BodyReader {
 public:
  BodyReader(ir::Function& function, TypeReader& types, AttributeReader& attributes,
             DebugReader::Places& places, ReadContext& context)
      : function_(function),
        types_(types),
        attributes_(attributes),
        places_(places),
        context_(context),
        forms_(WireForms::of(context.version)) {}

  /// Appends the ops that fill `in` to the body, whose arguments are there already.
  void read(ByteReader in);

 private:
  void op(ByteReader& in, ir::Op& op, std::size_t depth);
  const WireForm& form(ByteReader& in);
  void results(ByteReader& in, ir::Op& op, const WireForm& form);
  void attributes(ByteReader& in, ir::Op& op, const WireForm& form, std::uint64_t flags);
  void operands(ByteReader& in, ir::Op& op, const WireForm& form, std::uint64_t flags);
  void group(ByteReader& in, ir::Op& op, std::size_t index, std::size_t size);
  void regions(ByteReader& in, ir::Op& op, std::size_t depth);
  void block(ByteReader& in, ir::Block& block, std::size_t depth);
  ir::Value define(const ir::Type& type, std::uint64_t offset);

  ir::Function& function_;
  TypeReader& types_;
  AttributeReader& attributes_;
  DebugReader::Places& places_;
  ReadContext& context_;
  const WireForms& forms_;
  std::vector<ir::Value> values_;  ///< those that are in scope, by their number
};

}  // namespace tw::inline v0::bytecode
