// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tilewright/core/dtype.hpp>

namespace tw::inline v0::ir {

/// The literal that LLVM's printers write for a number of a float kind, given by its bits: six
/// digits in scientific form if they read back as the same bits, else as many as its format needs,
/// and the bits in hexadecimal for infinities, NaNs and what would look like an integer.
std::string float_text(ElementKind kind, std::uint64_t bits);

/// The bits of a decimal number, rounded to the kind. What is beyond its range is an infinity, or
/// nothing if the kind would make it a NaN.
std::optional<std::uint64_t> parse_float(ElementKind kind, std::string_view text);

}  // namespace tw::inline v0::ir
