// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <tilewright/backend/tileiras/cubin.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::backend::tileiras {

/// The remarks in the YAML that the assembler writes, at the lines that it names. What it does not
/// write in this way is passed over.
TILEWRIGHT_API std::vector<Remark> remarks_in(std::string_view yaml);

/// Finds the op of each remark by its line.
TILEWRIGHT_API void find_ops(std::vector<Remark>& remarks, const ir::Module& module);

/// Finds the line of each remark by its op.
TILEWRIGHT_API void find_lines(std::vector<Remark>& remarks, const ir::Module& module);

}  // namespace tw::inline v0::backend::tileiras
