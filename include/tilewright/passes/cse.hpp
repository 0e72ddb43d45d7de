// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// Merges equal pure ops, within a region and with the regions around it, and equal plain loads
/// from parameters that the kernel never writes.
[[nodiscard]] TILEWRIGHT_API ir::Module cse(ir::Module module);

}  // namespace tw::inline v0::passes
