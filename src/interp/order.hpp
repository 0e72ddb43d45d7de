// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::interp {

/// Whether the results of a run may depend on the order of its blocks, or show it.
bool order_is_seen(const ir::Function& function);

}  // namespace tw::inline v0::interp
