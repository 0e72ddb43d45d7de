// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>
#include <tilewright/ir/printer.hpp>

namespace tw::inline v0::ir {

/// A text is no module. Every diagnostic has file, line and column; its note shows the line, with a
/// caret below the column.
class TILEWRIGHT_API ParseError : public Error {
 public:
  using Error::Error;
};

/// Where an op lies of which the text does not tell.
enum class DefaultPlace : std::uint8_t {
  unknown,
  text,  ///< where its name stands in the text itself
};

/// The module that a text of NVIDIA's tools, or of `print`, describes; `file` is its name in
/// errors.
///
/// The text may be wrapped in `module` and `cuda_tile.module` or be a bare list of globals and
/// entries. It need not be trusted: whatever it is, this returns or throws ParseError with all that
/// is wrong, up to a hundred errors, in time proportional to its length. What is returned matches
/// the op table, but still has to be verified.
TILEWRIGHT_API Module parse(std::string_view text, std::string_view file = "<text>",
                            DefaultPlace place = DefaultPlace::unknown);

/// A module, and what its text calls the values.
struct NamedModule {
  Module module;
  NameTable names;
};

/// The same as `parse`, for those who print the module again.
TILEWRIGHT_API NamedModule parse_named(std::string_view text, std::string_view file = "<text>",
                                       DefaultPlace place = DefaultPlace::unknown);

}  // namespace tw::inline v0::ir
