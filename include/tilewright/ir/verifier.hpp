// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>
#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::ir {

/// One rule of a well-formed module. docs/ir.md lists them all.
struct Constraint {
  std::string_view name;  ///< `permute_c2`: what it is about, and its number there
  std::string_view ops;   ///< those that it holds for; empty if it is not about ops
  std::string_view text;
};

/// All constraints, in the order of the documentation.
TILEWRIGHT_API std::span<const Constraint> constraints();

struct VerifyOptions {
  /// The release of the assembler that has to accept the module; rules differ between releases.
  Version tool = {13, 5};
  /// The compute capability that has to run it, 90 for sm_90; without one, what only some devices
  /// have is allowed.
  std::optional<int> architecture = std::nullopt;
  /// Whether the ops that are not part of Tile IR may still be there.
  bool allow_own_ops = true;
  /// Whether functions may be there that are no entries of kernels, as in tests of other tools.
  /// They take and return anything.
  bool allow_functions = false;
  /// Whether parameters of entries may be tokens and views, which files can hold but no assembler
  /// takes.
  bool allow_any_parameters = false;
};

/// What is wrong with the module, in the order of its ops: "permute_c2: permute: ...". Of each op,
/// block and type only the first broken constraint is reported, because later ones presume earlier
/// ones.
TILEWRIGHT_API std::vector<Diagnostic> verify(const Module& module,
                                              const VerifyOptions& options = {});

struct Findings {
  std::vector<Diagnostic> errors;  ///< what `verify` tells
  /// What a module without errors says without effect, by the same names: hints that the tool
  /// ignores in silence, which those before 13.3 refuse, and paddings without a mask.
  std::vector<Diagnostic> warnings;
};

/// Errors and warnings in one pass.
TILEWRIGHT_API Findings examine(const Module& module, const VerifyOptions& options = {});

}  // namespace tw::inline v0::ir
