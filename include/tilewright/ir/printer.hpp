// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>
#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::ir {

/// Names of values, without the percent sign: of each function in its module's order, of each value
/// by its number. What has none, or lies beyond the end, has an empty one. Of several results under
/// one name, as in `%0:2`, the first has that name and the others `0#1` and so on.
using NameTable = std::vector<std::vector<std::string>>;

struct PrintOptions {
  /// In `module { cuda_tile.module @name { ... } }`, as the optimiser prints, rather than the bare
  /// globals and entries of the disassembler.
  bool wrapped = false;
  /// `loc("file":line:column)` behind every op whose place is known.
  bool locations = false;
  /// Whose spelling: `pow` is `fpowf` to tools from 13.4 on.
  Version tool = {13, 5};
  /// Names to use instead of those that NVIDIA's tools would give, of a whole module; values that
  /// can be seen at the same place must have different ones.
  const NameTable* names = nullptr;
};

/// The module in the text form of NVIDIA's tools. Its ops must match their rows of the op table;
/// nothing else needs to hold.
TILEWRIGHT_API std::string print(const Module& module, const PrintOptions& options = {});
/// One function alone. Without its module, places are left out and sites are numbers.
TILEWRIGHT_API std::string print(const Function& function, const PrintOptions& options = {});

}  // namespace tw::inline v0::ir
