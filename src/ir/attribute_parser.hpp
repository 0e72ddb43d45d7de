// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tilewright/ir/attribute.hpp>
#include <tilewright/ir/type.hpp>

#include "ir/text_cursor.hpp"

namespace tw::inline v0::ir {

/// The elements between the angle brackets of a constant, before its type is known.
struct ConstantText {
  std::size_t offset;
  ElementKind kind;
  bool is_splat = false;
  Shape shape;  ///< of the brackets
  std::vector<std::uint64_t> elements;
};

/// A natural number of up to 64 bits; `what` names it in the error.
std::uint64_t take_natural(TextCursor& cursor, std::string_view what);
/// `f32: [[1.0, 2.0], [3.0, 4.0]]`, `f32: 1.0`, or `f32: "0x..."` with all bytes in order.
ConstantText take_constant(TextCursor& cursor);
/// The same without the kind, which is known.
ConstantText take_elements(TextCursor& cursor, ElementKind kind);
/// The constant of this type; fails if the brackets do not fit.
Constant constant_of(TextCursor& cursor, const ConstantText& text, const Type& type);
/// `[0xFF800000 : f32, -1]`; what has no kind of its own has that of its operand.
ScalarArray take_scalars(TextCursor& cursor, std::span<const ElementKind> operands);
/// `<default = {occupancy = 4}>`.
Hints take_hints(TextCursor& cursor);
/// `div_by<16>`.
AssumePredicate take_predicate(TextCursor& cursor);

}  // namespace tw::inline v0::ir
