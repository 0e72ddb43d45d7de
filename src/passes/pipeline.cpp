// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <tilewright/passes/cse.hpp>
#include <tilewright/passes/dce.hpp>
#include <tilewright/passes/fold.hpp>
#include <tilewright/passes/fuse_multiply_add.hpp>
#include <tilewright/passes/licm.hpp>
#include <tilewright/passes/lower_checks.hpp>
#include <tilewright/passes/order_tokens.hpp>
#include <tilewright/passes/pipeline.hpp>

namespace tw::inline v0::passes {

Prepared prepare(ir::Kernel kernel) {
  // First of all, while every condition still stands before the access that needs it: from here on
  // nothing depends on the order in which the compiler of the trace evaluated operands.
  kernel.module = dce(cse(fold(canonical(std::move(kernel.module)))));
  ObligationReport report = analyse(kernel);
  return {std::move(kernel), std::move(report)};
}

ir::Kernel optimise(Prepared prepared, const Options& options) {
  ir::Kernel kernel = std::move(prepared.kernel);
  kernel = options.keep_all_checks
               ? keep_checks(std::move(kernel))
               : assume_discharged(std::move(kernel), prepared.report, options.predicate_holds);
  // What leaves a loop may equal what stands before it.
  ir::Module module = cse(licm(cse(std::move(kernel.module))));
  if (options.fuse_multiply_add) module = fuse_multiply_add(std::move(module));
  kernel.module = dce(std::move(module));
  kernel = add_fault_parameters(std::move(kernel));
  kernel.module = canonical(order_tokens(std::move(kernel.module)), options.origins);
  return kernel;
}

}  // namespace tw::inline v0::passes
