// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/op_table.hpp>
#include <tilewright/ir/type.hpp>

#include "bytecode/tables.hpp"

namespace tw::inline v0::bytecode {

/// Writes the attributes of ops.
class AttributeWriter {
 public:
  AttributeWriter(Tables& tables, ByteWriter& out) : tables_(tables), out_(out) {}

  /// One attribute of an op. Of units, which are flags alone, nothing is written. `result` is the
  /// op's first result type: the type of a constant.
  void write(ir::AttributeKind kind, const ir::Attribute& value, const ir::Type& result);

  /// Hints as ops hold them; those of a function stand behind a tag.
  void hints(const ir::Hints& hints);

 private:
  void hint_set(const ir::HintSet& hints);
  void hint_value(const ir::HintValue& value);
  void scalar(const ir::Scalar& value);
  void integers(const ir::IntArray& values, std::size_t width);

  Tables& tables_;
  ByteWriter& out_;
};

}  // namespace tw::inline v0::bytecode
