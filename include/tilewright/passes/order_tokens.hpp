// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// Orders the accesses of one block to memory that it writes as the program does: a load follows
/// the last store, a store follows all earlier accesses. The tokens run through loops and branches
/// as further carried values and results. Loads from memory that nobody writes take no token;
/// acquire, release and waiting for a preceding grid order all memory. Tokens already there are
/// kept and joined.
[[nodiscard]] TILEWRIGHT_API ir::Module order_tokens(ir::Module module);

}  // namespace tw::inline v0::passes
