// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tilewright/ir/attribute.hpp>
#include <tilewright/ir/op_table.hpp>

#include "bytecode/entry_table.hpp"
#include "bytecode/type_reader.hpp"

namespace tw::inline v0::bytecode {

/// Reads attributes, and the strings and constants that they name.
class AttributeReader {
 public:
  AttributeReader(EntryTable strings, EntryTable constants, TypeReader& types, ReadContext& context)
      : strings_(std::move(strings)),
        constants_(std::move(constants)),
        types_(types),
        context_(context) {}

  /// One attribute of an op whose first result has the type `result`.
  ir::Attribute read(ByteReader& in, ir::AttributeKind kind, const ir::Type& result);

  /// The string whose number comes next.
  std::string string(ByteReader& in);
  /// The constant whose number comes next, as a value of this type.
  ir::Constant constant(ByteReader& in, const ir::Type& type);
  /// Hints as ops hold them; those of a function stand behind a tag.
  ir::Hints hints(ByteReader& in);

  /// Throws ReadError unless the next tag is this one.
  static void expect(ByteReader& in, AttributeTag tag, const char* what);

 private:
  std::int64_t enumerator(ByteReader& in, ir::AttributeKind kind);
  ir::AssumePredicate predicate(ByteReader& in);
  ir::HintSet hint_set(ByteReader& in);
  ir::HintValue hint_value(ByteReader& in);
  ir::IntArray integers(ByteReader& in, std::size_t width);
  ir::IntArray booleans(ByteReader& in);
  ir::ScalarArray scalars(ByteReader& in);
  ir::Scalar scalar(ByteReader& in);

  EntryTable strings_;
  EntryTable constants_;
  TypeReader& types_;
  ReadContext& context_;
};

}  // namespace tw::inline v0::bytecode
