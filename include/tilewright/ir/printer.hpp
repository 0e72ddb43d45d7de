// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>
#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::ir {

struct PrintOptions {
  /// In `module { cuda_tile.module @name { ... } }`, as the optimiser prints, rather than the bare
  /// globals and entries of the disassembler.
  bool wrapped = false;
  /// `loc("file":line:column)` behind every op whose place is known.
  bool locations = false;
  /// Whose spelling: `pow` is `fpowf` to tools from 13.4 on.
  Version tool = {13, 5};
};

/// The module in the text form of NVIDIA's tools. Its ops must match their rows of the op table;
/// nothing else needs to hold.
TILEWRIGHT_API std::string print(const Module& module, const PrintOptions& options = {});
/// One function alone. Without its module, places are left out and sites are numbers.
TILEWRIGHT_API std::string print(const Function& function, const PrintOptions& options = {});

}  // namespace tw::inline v0::ir
