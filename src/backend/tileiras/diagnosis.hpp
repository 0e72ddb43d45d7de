// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/op.hpp>

#include "backend/tileiras/attempt.hpp"

namespace tw::inline v0::backend::tileiras {

/// The line of a module's kernel.
CodePlace place_of_kernel(const ir::Module& module);

/// The errors that the assembler states in its output, at the lines that it names or else at that
/// of the kernel. It says nothing of use when it crashes.
TILEWRIGHT_API std::vector<Diagnostic> errors_in(std::string_view output, const CodePlace& kernel);

/// Whether the assembler failed without saying that something is wrong with the module: it died, or
/// gave up for no reason.
bool is_crash(const Attempt& attempt);

/// "tileiras 13.5.37 was killed by signal 11 (Segmentation fault) on kernel vadd(ptr<f32>, i32) for
/// sm_90": what happened to whom.
std::string describe(const Assembler& assembler, const Assembly& assembly, const Attempt& attempt);

}  // namespace tw::inline v0::backend::tileiras
