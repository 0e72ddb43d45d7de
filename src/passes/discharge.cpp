// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <tilewright/passes/dce.hpp>
#include <tilewright/passes/fold.hpp>
#include <tilewright/passes/obligations.hpp>

#include "passes/constant_op.hpp"

namespace tw::inline v0::passes {
namespace {

/// Removes checks that hold and remembers their conditions.
class Discharger {
 public:
  Discharger(const ir::Kernel& kernel, const ObligationReport& report, bool predicate_holds)
      : sites_(kernel.module.sites),
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
    return holds || silent(check);
  }

  [[nodiscard]] bool silent(const ir::Op& check) const {
    const auto site = static_cast<std::size_t>(check.integer(ir::AttributeName::site));
    return site < sites_.size() && sites_[site].silent;
  }

  const std::vector<ir::Site>& sites_;
  const ObligationReport& report_;
  bool predicate_holds_;
  std::size_t next_ = 0;
  std::vector<bool> holds_;
};

}  // namespace

ir::Kernel assume_discharged(ir::Kernel kernel, const ObligationReport& report,
                             bool predicate_holds) {
  Discharger discharger(kernel, report, predicate_holds);
  discharger.remove_checks(kernel.entry().body);
  discharger.settle_conditions(kernel.entry());
  kernel.module = dce(fold(std::move(kernel.module)));
  return kernel;
}

}  // namespace tw::inline v0::passes
