// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// Makes one `fma` of a product that is only used by a sum in the same block with the same rounding
/// and treatment of subnormals. Changes results: the product is no longer rounded.
[[nodiscard]] TILEWRIGHT_API ir::Module fuse_multiply_add(ir::Module module);

}  // namespace tw::inline v0::passes
