// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tilewright/ir/attribute.hpp>
#include <tilewright/ir/type.hpp>

namespace tw::inline v0::ir {

/// One number: `true`, `-1` (integers are read as signed), `1.000000e+00`.
std::string element_text(ElementKind kind, std::uint64_t bits);
/// What stands between the angle brackets of a constant: `f32: [[1.0, 2.0], [3.0, 4.0]]`.
std::string constant_text(const Constant& constant, const TileType& type);
/// A typed number, as among identities: `0xFF800000 : f32`.
std::string scalar_text(const Scalar& scalar);
/// In quotes, with backslashes and two hexadecimal digits for what would not be plain.
std::string quoted(std::string_view text);
/// `@name`, quoted if it is no identifier.
std::string symbol_text(std::string_view name);
/// `4`, `true`.
std::string hint_text(const HintValue& value);
/// `<default = {occupancy = 4}, sm_90 = {allow_tma = true}>`.
std::string hints_text(const Hints& hints);
/// `div_by<16>`, `same_elements<[1, 4]>`, `bounded<0, ?>`.
std::string predicate_text(const AssumePredicate& predicate);

}  // namespace tw::inline v0::ir
