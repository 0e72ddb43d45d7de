// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tilewright/core/dtype.hpp>

namespace tw::inline v0::ir {

/// The literal that LLVM's printers write for a number of a float kind, given by its bits: six
/// digits in scientific form if they read back as the same bits, else as many as its format needs,
/// and the bits in hexadecimal for infinities, NaNs and what would look like an integer.
std::string float_text(ElementKind kind, std::uint64_t bits);

}  // namespace tw::inline v0::ir
