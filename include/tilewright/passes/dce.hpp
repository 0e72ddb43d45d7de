// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// Removes what no effect depends on: pure ops and loads, branches and loops without effects,
/// results and carried values that nobody reads. A loop without effects counts as terminating.
[[nodiscard]] TILEWRIGHT_API ir::Module dce(ir::Module module);

}  // namespace tw::inline v0::passes
