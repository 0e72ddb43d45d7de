// SPDX-License-Identifier: Apache-2.0
#include "runtime/specialised.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/pipeline.hpp>

#include "runtime/cuda/executable.hpp"

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

/// What two recordings of one kernel are compared by.
std::string canonical_text(const ir::Kernel& kernel) {
  return ir::print(passes::canonical(kernel.module, passes::Origins::strip));
}

/// The first line of `text` that differs from that of `other`.
std::string_view first_difference(std::string_view text, std::string_view other) {
  const auto [at, _] = std::ranges::mismatch(text, other);
  const auto offset = static_cast<std::size_t>(at - text.begin());
  const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  std::string_view line = text.substr(begin);
  line = line.substr(0, line.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
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
      std::make_unique<Traced>(Traced{passes::prepare(kernel.trace(facts_, launch, where)), {}});
  const passes::Prepared& prepared = made->prepared;
  if (!prepared.report.refuted.empty()) throw KernelError(prepared.report.refuted);
  for (std::uint32_t i = 0; i < prepared.kernel.abi.size(); ++i) {
    if (is_integer(prepared.kernel.abi[i])) made->integer_arguments.push_back(i);
  }
  traced_.store(made.release(), std::memory_order_release);
  return prepared;
}

void Specialised::verify(const KernelInfo& kernel, const LaunchState& launch,
                         Location where) const {
  const passes::Prepared again = passes::prepare(kernel.trace(facts_, launch, where));
  const std::string first = canonical_text(traced()->kernel);
  const std::string second = canonical_text(again.kernel);
  if (first == second) return;
  throw KernelError(
      fmt::format("{}: recorded twice for the same specialisation, the kernel gave `{}` and then "
                  "`{}`: it depends on something besides its parameters",
                  kernel.name, first_difference(first, second), first_difference(second, first)),
      where);
}

std::unique_ptr<const Variant> Specialised::compile(bool predicate_holds, Location where) const {
  const ir::Kernel kernel =
      passes::optimise(*traced(), {.predicate_holds = predicate_holds,
                                   .keep_all_checks = facts_.checks == CheckMode::all_on_device});
  auto variant = std::make_unique<Variant>();
  variant->device_checks = count_checks(kernel);
  backend::Backend& backend =
      target_.is_cpu() ? backend::backend_for(target_, where) : runtime::cuda::gpu_backend();
  variant->executable = backend.compile(kernel, target_, {});
  return variant;
}

const Variant& Specialised::variant(std::span<const std::uint64_t> arguments,
                                    const std::array<std::uint32_t, 3>& blocks, Location where) {
  const bool holds = predicate_holds(arguments, blocks);
  std::atomic<const Variant*>& slot = variants_[holds ? 1 : 0];
  if (const Variant* done = slot.load(std::memory_order_acquire)) return *done;
  const std::lock_guard lock(preparing_);
  if (const Variant* done = slot.load(std::memory_order_acquire)) return *done;
  const Variant* made = compile(holds, where).release();
  slot.store(made, std::memory_order_release);
  return *made;
}

// Without a predicate, or without use for it, the two kinds of code are one.
bool Specialised::asks_predicate() const noexcept {
  return facts_.checks == CheckMode::automatic && !traced()->report.predicate.trivial();
}

bool Specialised::numbers_decide() const noexcept {
  return asks_predicate() && std::ranges::any_of(integer_arguments(), [&](std::uint32_t argument) {
           return traced()->kernel.abi[argument].kind == ir::AbiKind::scalar;
         });
}

bool Specialised::predicate_holds(std::span<const std::uint64_t> arguments,
                                  const std::array<std::uint32_t, 3>& blocks) {
  if (!asks_predicate()) return true;
  const passes::LaunchPredicate& predicate = traced()->report.predicate;
  const auto evaluate = [&] {
    return predicate.holds(
        {reinterpret_cast<const std::int64_t*>(arguments.data()), arguments.size()},
        {blocks[0], blocks[1], blocks[2]});
  };
  // Another thread that asks at the same time is not worth waiting for.
  if (answering_.test_and_set(std::memory_order_acquire)) return evaluate();
  const std::vector<std::uint32_t>& integers = integer_arguments();
  const auto same = [&] {
    if (!answer_ || answer_->blocks != blocks) return false;
    for (std::size_t i = 0; i < integers.size(); ++i) {
      if (answer_->integers[i] != arguments[integers[i]]) return false;
    }
    return true;
  };
  if (!same()) {
    if (!answer_) answer_.emplace().integers.resize(integers.size());
    for (std::size_t i = 0; i < integers.size(); ++i) {
      answer_->integers[i] = arguments[integers[i]];
    }
    answer_->blocks = blocks;
    answer_->holds = evaluate();
  }
  const bool holds = answer_->holds;
  answering_.clear(std::memory_order_release);
  return holds;
}

}  // namespace tw::inline v0::detail
