// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/ir/kernel.hpp>

namespace tw::inline v0::passes {

/// Appends the parameters `fault_block` (`ptr<i32>`) and `serial` (`i32`) when checks or prints
/// remain and the kernel does not have them yet. Every device passes the same list.
[[nodiscard]] TILEWRIGHT_API ir::Kernel add_fault_parameters(ir::Kernel kernel);

/// Turns the checks of a kernel with fault parameters into plain Tile IR: where the condition is
/// false, the FaultRecord at `fault_block` counts one more fault, and the first one of all fills it
/// in. For a tile that is its first failing element in row-major order. The host passes the address
/// of the record of this launch. The site table stays, for the host to read.
///
/// Throws CompilerError when the kernel prints: the assembler's own print goes to the standard
/// output of the process, which is not ours to write to.
[[nodiscard]] TILEWRIGHT_API ir::Kernel lower_checks(ir::Kernel kernel);

}  // namespace tw::inline v0::passes
