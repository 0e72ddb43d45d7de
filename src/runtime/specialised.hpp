// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <tilewright/backend/backend.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/dsl/specialisation.hpp>
#include <tilewright/passes/pipeline.hpp>
#include <tilewright/runtime/launch_state.hpp>

namespace tw::inline v0::detail {

/// Code for launches that satisfy the kernel's predicate, or for those that may not.
struct Variant {
  std::shared_ptr<const backend::Executable> executable;
  std::size_t device_checks = 0;  ///< that are left in the code
};

/// One specialisation of a kernel: recorded at its first launch, compiled when a launch needs it.
/// Everything is thread-safe, and what a launch finds ready costs it no lock.
class Specialised {
 public:
  Specialised(std::vector<std::uint64_t> key, Specialisation facts, backend::Target target);

  [[nodiscard]] std::span<const std::uint64_t> key() const noexcept { return key_; }
  [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }
  [[nodiscard]] const Specialisation& facts() const noexcept { return facts_; }
  [[nodiscard]] const backend::Target& target() const noexcept { return target_; }

  /// The kernel, recorded with the constants of `launch`, which has this key. Throws KernelError
  /// when the kernel is wrong or one of its checks fails in every launch.
  const passes::Prepared& traced(const KernelInfo& kernel, const LaunchState& launch,
                                 Location where);
  /// The recorded kernel, or null before the first launch.
  [[nodiscard]] const passes::Prepared* traced() const noexcept {
    const Traced* traced = traced_.load(std::memory_order_acquire);
    return traced == nullptr ? nullptr : &traced->prepared;
  }
  /// Records the kernel again with the constants of `launch`, which has this key. Throws
  /// KernelError when that gives other code.
  void verify(const KernelInfo& kernel, const LaunchState& launch, Location where) const;
  /// Code for a launch of `blocks` blocks with these arguments: that for launches that satisfy the
  /// predicate, if this one does. Throws CompilerError.
  const Variant& variant(std::span<const std::uint64_t> arguments,
                         const std::array<std::uint32_t, 3>& blocks, Location where);
  /// Code for launches that satisfy the predicate, or for all launches; null when it was not
  /// compiled yet.
  [[nodiscard]] const Variant* compiled(bool predicate_holds) const noexcept {
    return variants_[predicate_holds ? 1 : 0].load(std::memory_order_acquire);
  }

  /// Whether the predicate may depend on run-time numbers, not on tensors and the grid alone.
  [[nodiscard]] bool numbers_decide() const noexcept;

  void chain(Specialised* older) noexcept { older_ = older; }
  [[nodiscard]] Specialised* older() const noexcept { return older_; }

 private:
  /// The recorded kernel, and which of its arguments are integers.
  struct Traced {
    passes::Prepared prepared;
    std::vector<std::uint32_t> integer_arguments;
  };
  /// The integers of the last launch whose predicate was evaluated.
  struct Answer {
    std::vector<std::uint64_t> integers;
    std::array<std::uint32_t, 3> blocks{};
    bool holds = false;
  };

  [[nodiscard]] const std::vector<std::uint32_t>& integer_arguments() const noexcept {
    return traced_.load(std::memory_order_acquire)->integer_arguments;
  }
  [[nodiscard]] std::unique_ptr<const Variant> compile(bool predicate_holds, Location where) const;
  [[nodiscard]] bool asks_predicate() const noexcept;
  /// Whether the predicate holds for a launch with these arguments; remembers the last answer.
  bool predicate_holds(std::span<const std::uint64_t> arguments,
                       const std::array<std::uint32_t, 3>& blocks);

  std::vector<std::uint64_t> key_;
  std::uint64_t hash_;
  Specialisation facts_;
  backend::Target target_;
  Specialised* older_ = nullptr;

  os::ForkableMutex preparing_;
  std::atomic<const Traced*> traced_{nullptr};
  std::array<std::atomic<const Variant*>, 2> variants_{};

  std::atomic_flag answering_;
  std::optional<Answer> answer_;
};

}  // namespace tw::inline v0::detail
