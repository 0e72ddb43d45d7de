// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/backend/backend.hpp>
#include <tilewright/runtime/launch_state.hpp>

#include "runtime/validation.hpp"

namespace tw::inline v0::detail {

/// The hints for all architectures with those for this one on top.
Hints hints_for(const LaunchState& launch, const backend::Target& target);

/// Notes hints outside their range.
void check_hints(const Hints& hints, Problems& problems);

/// What the code generator is told, by the names of Tile IR.
ir::HintSet entry_hints(const Hints& hints);

}  // namespace tw::inline v0::detail
