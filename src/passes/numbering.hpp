// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// Numbers the values of a function without gaps in order of appearance: parameters, then for each
/// op what its regions define and its results.
void number_values(ir::Function& function);

/// Numbers the sites of a module in the order in which ops name them and drops the others.
void number_sites(ir::Module& module);

}  // namespace tw::inline v0::passes
