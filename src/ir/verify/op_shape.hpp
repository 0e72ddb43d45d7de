// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/verify/op_check.hpp"

namespace tw::inline v0::ir {

/// Whether the tool knows the op and the op matches its row: what every other check presumes. Looks
/// at no value.
bool check_op_shape(const OpContext& c);

}  // namespace tw::inline v0::ir
