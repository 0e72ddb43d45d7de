// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tilewright/ir/op.hpp>

#include "bytecode/format.hpp"

namespace tw::inline v0::bytecode {

/// What in a module asks for the newest version, and which.
struct VersionNeed {
  Version since = v13_1;
  std::string what = {};  ///< "alloca", "tile<8xi4>", "saturating of ftoi"
  ir::LocationId location = ir::LocationId::unknown;
};

/// Throws CompilerError for ops that are not part of Tile IR.
VersionNeed version_need(const ir::Module& module);

}  // namespace tw::inline v0::bytecode
