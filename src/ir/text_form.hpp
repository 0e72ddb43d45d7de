// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::ir {

/// How an op's text goes on after its name, up to its blocks. In a form
///
///     {name}    stands for an attribute, or for the operands of one group
///     {?name}   for a unit attribute's keyword and a space before it, if it is set
///     {:name}   for the types of a group's operands; `result` is the first result, `results` are
///     all
///     {=name}   for the same, or for one type if all are equal
///     ?( ... )  is left out when the first thing inside is absent or has its fallback value
///
/// and everything else for itself. `{iterations}` are the values that a loop carries, with what
/// each starts as; `{handed_out}` are the types of a loop's results behind the mark that sets them
/// off from those. A rounding mode that has its fallback value is empty text: outside of
/// parentheses this leaves the two spaces that the official printer leaves, too. The printer writes
/// by the form and the parser reads by it.
struct TextForm {
  std::string_view text;
  /// The operands whose types the results have when the text does not tell them; without any they
  /// are tokens.
  std::string_view results_like;
  /// The terminator that the text of the op's blocks leaves out when it carries nothing.
  std::optional<Opcode> implied = std::nullopt;
  /// Whether a line above the block names its arguments.
  bool declares_arguments = false;
};

const TextForm& text_form(Opcode code);

/// A piece of a form: literal text, then one placeholder or optional part.
struct FormPiece {
  std::string_view literal;
  std::string_view part;     ///< without its braces or parentheses; empty behind the last piece
  bool is_optional = false;  ///< the part is a form of its own
};

/// Takes the first piece off a form.
FormPiece take_piece(std::string_view& form);
/// The first placeholder of a form.
std::string_view first_placeholder(std::string_view form);

/// The attribute that a placeholder stands for, or nullptr.
const AttributeRow* attribute_row(const OpRow& row, std::string_view placeholder);
/// The position of the operand group that a placeholder stands for; that of no group if it is none.
std::size_t operand_index(const OpRow& row, std::string_view placeholder);
/// The word for a unit attribute that is set.
std::string_view unit_keyword(AttributeName name);

}  // namespace tw::inline v0::ir
