// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tilewright/ir/op.hpp>

#include "ir/text_cursor.hpp"
#include "ir/type_parser.hpp"

namespace tw::inline v0::ir {

/// `{key = value, key}`, of which `read(key, place of the key)` takes what follows each key.
template <class Read>
void take_dictionary(TextCursor& cursor, Read read) {
  cursor.expect("{");
  while (!cursor.at("}")) {
    const Token key = cursor.token();
    if (key.kind != Token::Kind::word && key.kind != Token::Kind::string) {
      cursor.fail_expected("the name of an attribute");
    }
    cursor.advance();
    const bool in_quotes = key.kind == Token::Kind::string;
    read(in_quotes ? key.text.substr(1, key.text.size() - 2) : key.text, key.offset);
    if (!cursor.accept(",")) break;
  }
  cursor.expect("}");
}

/// `() <{key = value}>`, of what has no operands; the dictionary may be missing.
template <class Read>
void take_head(TextCursor& cursor, Read read) {
  cursor.expect("(");
  cursor.expect(")");
  if (!cursor.accept("<")) return;
  take_dictionary(cursor, read);
  cursor.expect(">");
}

/// `= value` of any kind, if it follows.
void skip_value(TextCursor& cursor);
/// `array<i32: 1, 2>`, of numbers or booleans.
std::vector<std::int64_t> take_array(TextCursor& cursor);
/// `dense<[1, 2]> : tile<2xi32>` with its type.
Constant take_dense(TextCursor& cursor, TypeParser& types, Type& type);
/// The value of an op's attribute as the generic form has it, behind its name; `operands` are the
/// kinds of the op's operands.
Attribute take_generic_attribute(TextCursor& cursor, TypeParser& types, const AttributeRow& row,
                                 std::span<const ElementKind> operands);

}  // namespace tw::inline v0::ir
