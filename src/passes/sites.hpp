// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tilewright/ir/op.hpp>

namespace tw::inline v0::passes {

/// The site that a check or a print names.
inline const ir::Site& site_of(const ir::Module& module, const ir::Op& op) {
  return module.sites.at(static_cast<std::size_t>(op.integer(ir::AttributeName::site)));
}

/// Whether a check only marks the guard of an access that may lie outside: its failure is no fault.
inline bool is_silent(const ir::Module& module, const ir::Op& check) {
  return site_of(module, check).silent;
}

/// Whether a check is the user's own, who may mean it to fail wherever it is reached.
inline bool is_assertion(const ir::Module& module, const ir::Op& check) {
  return site_of(module, check).kind == "check";
}

}  // namespace tw::inline v0::passes
