// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/passes/canonical.hpp>
#include <tilewright/passes/lower_checks.hpp>

#include "backend/tileiras/rewrites.hpp"
#include "backend/tileiras/support.hpp"

namespace tw::inline v0::backend::tileiras {

Assembly assembly_of(const ir::Kernel& kernel, const Target& target,
                     const CompileOptions& options) {
  require_support(kernel, target);
  ir::Kernel lowered = with_promises(passes::lower_checks(kernel));
  if (dies_of_loaded_tf32(target)) lowered = without_loaded_tf32(std::move(lowered));
  lowered = with_hints_for(std::move(lowered), target);
  // Ops are counted in this order, by remarks that are kept for kernels of equal form.
  return {passes::canonical(std::move(lowered.module)), target, options};
}

}  // namespace tw::inline v0::backend::tileiras
