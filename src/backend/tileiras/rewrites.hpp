// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/backend/backend.hpp>
#include <tilewright/ir/kernel.hpp>

namespace tw::inline v0::backend::tileiras {

/// The kernel with what its arguments are known to be divisible by, and that none of its extents
/// and strides is negative, told to the assembler: without that it finds no use for the TMA unit.
TILEWRIGHT_API ir::Kernel with_promises(ir::Kernel kernel);

/// The kernel with tensors of tf32 read and written as f32, which lie in memory alike, and the
/// tiles converted.
TILEWRIGHT_API ir::Kernel without_loaded_tf32(ir::Kernel kernel);

/// The kernel whose entry has one set of hints: those for the target, on top of the default ones.
/// What the target cannot do is reported to the log sink and left out.
TILEWRIGHT_API ir::Kernel with_hints_for(ir::Kernel kernel, const Target& target);

}  // namespace tw::inline v0::backend::tileiras
