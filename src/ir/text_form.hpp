// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tilewright/ir/opcode.hpp>

namespace tw::inline v0::ir {

/// How an op's text goes on after its name; for control flow, up to its body. In a form
///
///     {name}    stands for an attribute, or for the operands of one group
///     {?name}   for a unit attribute's keyword and a space before it, if it is set
///     {:name}   for the types of a group's operands; `result` is the first result, `results` are
///     all
///     {=name}   for the same, or for one type if all are equal
///     ?( ... )  is left out when the first thing inside is absent or has its fallback value
///
/// and everything else for itself. A rounding mode that has its fallback value is empty text:
/// outside of parentheses this leaves the two spaces that the official printer leaves, too.
std::string_view text_form(Opcode code);

}  // namespace tw::inline v0::ir
