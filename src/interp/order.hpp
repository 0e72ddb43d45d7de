// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::interp {

/// Whether a load or store is more than a plain access that others do not see in order.
bool is_ordered_access(const ir::Op& op);

/// Whether the results of a run may depend on the order of its blocks, or show it.
bool order_is_seen(const ir::Function& function);

}  // namespace tw::inline v0::interp
