// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include <tilewright/passes/dce.hpp>
#include <tilewright/passes/fold.hpp>
#include <tilewright/passes/obligations.hpp>

#include "passes/constant_op.hpp"
#include "passes/sites.hpp"

namespace tw::inline v0::passes {
namespace {

/// Removes checks that hold and remembers their conditions.
class Discharger {
 public:
  Discharger(const ir::Kernel& kernel, const ObligationReport& report, bool predicate_holds)
      : module_(kernel.module),
        report_(report),
        predicate_holds_(predicate_holds),
        holds_(kernel.entry().types.size()) {}

  void remove_checks(ir::Block& block) {
    std::erase_if(block.ops, [&](ir::Op& op) {
      if (op.code == ir::Opcode::check) return discharged(op);
      for (ir::Block& region : op.regions) remove_checks(region);
      return false;
    });
  }

  /// Makes the remembered conditions the constant true where they are computed.
  void settle_conditions(ir::Function& function) const {
    ir::walk(function.body, [&](ir::Op& op) {
      const bool settled = op.results.size() == 1 && holds_[op.result().index] &&
                           op.row().effect == ir::Effect::pure;
      if (settled) become_splat(op, function.type(op.result()).tile().kind(), 1);
    });
  }

 private:
  bool discharged(const ir::Op& check) {
    const Verdict verdict = report_.obligations.at(next_++).verdict;
    const bool holds =
        verdict == Verdict::folded || (verdict == Verdict::launch && predicate_holds_);
    if (holds) holds_[check.operands[0].index] = true;
    return holds || is_silent(module_, check);
  }

  const ir::Module& module_;
  const ObligationReport& report_;
  bool predicate_holds_;
  std::size_t next_ = 0;
  std::vector<bool> holds_;
};

void remove_silent(const ir::Module& module, ir::Block& block) {
  std::erase_if(block.ops, [&](ir::Op& op) {
    for (ir::Block& region : op.regions) remove_silent(module, region);
    return op.code == ir::Opcode::check && is_silent(module, op);
  });
}

}  // namespace

ir::Kernel assume_discharged(ir::Kernel kernel, const ObligationReport& report,
                             bool predicate_holds) {
  Discharger discharger(kernel, report, predicate_holds);
  discharger.remove_checks(kernel.entry().body);
  discharger.settle_conditions(kernel.entry());
  kernel.module = dce(fold(std::move(kernel.module)));
  return kernel;
}

ir::Kernel keep_checks(ir::Kernel kernel) {
  remove_silent(kernel.module, kernel.entry().body);
  return kernel;
}

}  // namespace tw::inline v0::passes
