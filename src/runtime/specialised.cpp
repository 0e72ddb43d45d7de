// SPDX-License-Identifier: Apache-2.0
#include "runtime/specialised.hpp"

#include <algorithm>

#include <tilewright/core/error.hpp>
#include <tilewright/passes/pipeline.hpp>

namespace tw::inline v0::detail {
namespace {

bool is_integer(const ir::AbiSlot& slot) {
  switch (slot.kind) {
    case ir::AbiKind::extent:
    case ir::AbiKind::stride:
    case ir::AbiKind::ids_count:
    case ir::AbiKind::rows_count:
    case ir::AbiKind::grid:
    case ir::AbiKind::common_grid:
      return true;
    case ir::AbiKind::scalar:
      return !info(slot.element).is_float();
    default:
      return false;
  }
}

std::size_t count_checks(const ir::Kernel& kernel) {
  std::size_t checks = 0;
  ir::walk(kernel.entry().body,
           [&](const ir::Op& op) { checks += op.code == ir::Opcode::check ? 1 : 0; });
  return checks;
}

}  // namespace

Specialised::Specialised(std::vector<std::uint64_t> key, Specialisation facts,
                         backend::Target target)
    : key_(std::move(key)), hash_(hash_of(key_)), facts_(std::move(facts)), target_(target) {}

const passes::Prepared& Specialised::traced(const KernelInfo& kernel, const LaunchState& launch,
                                            Location where) {
  if (const passes::Prepared* done = traced()) return *done;
  const std::lock_guard lock(preparing_);
  if (const passes::Prepared* done = traced()) return *done;

  auto made =
      std::make_unique<passes::Prepared>(passes::prepare(kernel.trace(facts_, launch, where)));
  if (!made->report.refuted.empty()) throw KernelError(made->report.refuted);
  for (std::uint32_t i = 0; i < made->kernel.abi.size(); ++i) {
    if (is_integer(made->kernel.abi[i])) integer_arguments_.push_back(i);
  }
  traced_.store(made.get(), std::memory_order_release);
  return *made.release();
}

std::unique_ptr<const Variant> Specialised::compile(bool predicate_holds) const {
  const ir::Kernel kernel =
      passes::optimise(*traced(), {.predicate_holds = predicate_holds,
                                   .keep_all_checks = facts_.checks == CheckMode::all_on_device});
  auto variant = std::make_unique<Variant>();
  variant->device_checks = count_checks(kernel);
  variant->executable = backend::backend_for(target_).compile(kernel, target_, {});
  return variant;
}

const Variant& Specialised::variant(bool predicate_holds) {
  // Without a predicate the two kinds of code are one.
  predicate_holds |= traced()->report.predicate.trivial();
  std::atomic<const Variant*>& slot = variants_[predicate_holds ? 1 : 0];
  if (const Variant* done = slot.load(std::memory_order_acquire)) return *done;
  const std::lock_guard lock(preparing_);
  if (const Variant* done = slot.load(std::memory_order_acquire)) return *done;
  const Variant* made = compile(predicate_holds).release();
  slot.store(made, std::memory_order_release);
  return *made;
}

bool Specialised::predicate_holds(std::span<const std::uint64_t> arguments,
                                  const std::array<std::int64_t, 3>& blocks) {
  const passes::LaunchPredicate& predicate = traced()->report.predicate;
  if (predicate.trivial()) return true;
  const auto evaluate = [&] {
    return predicate.holds(
        {reinterpret_cast<const std::int64_t*>(arguments.data()), arguments.size()}, blocks);
  };
  // Another thread that asks at the same time is not worth waiting for.
  if (answering_.test_and_set(std::memory_order_acquire)) return evaluate();
  const auto same = [&] {
    if (!answer_ || answer_->blocks != blocks) return false;
    for (std::size_t i = 0; i < integer_arguments_.size(); ++i) {
      if (answer_->integers[i] != arguments[integer_arguments_[i]]) return false;
    }
    return true;
  };
  if (!same()) {
    if (!answer_) answer_.emplace().integers.resize(integer_arguments_.size());
    for (std::size_t i = 0; i < integer_arguments_.size(); ++i) {
      answer_->integers[i] = arguments[integer_arguments_[i]];
    }
    answer_->blocks = blocks;
    answer_->holds = evaluate();
  }
  const bool holds = answer_->holds;
  answering_.clear(std::memory_order_release);
  return holds;
}

}  // namespace tw::inline v0::detail
