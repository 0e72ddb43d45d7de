// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <tilewright/runtime/launch_state.hpp>

#include "runtime/grid.hpp"
#include "runtime/specialised.hpp"

namespace tw::inline v0::detail {

/// What a launch asks for besides its arguments.
struct Request {
  Device device;
  CheckMode checks;
  Hints hints;  ///< for the device's architecture; all empty when nothing was hinted
  bool hinted;  ///< no neighbour of `checks`: one load of both waits for the stores of each

  friend bool operator==(const Request& a, const Request& b) noexcept {
    return a.device == b.device && a.checks == b.checks && a.hinted == b.hinted &&
           (!a.hinted || a.hints == b.hints);
  }
};

/// What launches of one form have in common, so that a launch like one before need not find it out
/// again. The form is all that code, grid and checks may depend on, apart from where tensors lie
/// (their alignment excepted), the state of their storages, and the values of run-time numbers.
class Plan {
 public:
  /// Of a launch that was checked and whose `words` are packed. `constants` are those of its key.
  Plan(const LaunchState& launch, std::span<const std::uint64_t> constants, const Request& request,
       const Schedule& schedule, Specialised& specialised, Location where);

  /// Lists have tables of their own, made anew for each launch.
  [[nodiscard]] static bool possible(const LaunchState& launch) noexcept;

  /// Whether a launch, whose key holds its constants only, has this form.
  [[nodiscard]] bool fits(const LaunchState& launch, const Request& request) const noexcept;

  [[nodiscard]] const std::array<std::uint32_t, 3>& blocks() const noexcept { return blocks_; }
  /// The serial of the kernel's table.
  [[nodiscard]] std::uint64_t table() const noexcept { return table_; }

  /// Fills the launch's `words` and the byte ranges of its tensors.
  void apply(LaunchState& launch) const;
  /// The code for a launch that the plan was applied to. Throws CompilerError.
  [[nodiscard]] const Variant& variant(const LaunchState& launch, Location where) const;

 private:
  /// A word that differs from launch to launch: the address of a tensor or the value of a number.
  struct Patch {
    std::uint16_t word;
    std::uint16_t source;  ///< a tensor, or the argument of a number
    bool number;
  };

  void add_patches(std::span<const ir::AbiSlot> slots);

  // The form.
  std::uint64_t table_;
  Request request_;
  KeyWords constants_;
  std::vector<HostArgument> arguments_;
  std::vector<TensorUse> tensors_;

  // What follows from it.
  std::array<std::uint32_t, 3> blocks_;
  Specialised* specialised_;
  const Variant* variant_ = nullptr;  ///< null when numbers may decide
  std::vector<std::uint64_t> words_;
  std::vector<Patch> patches_;
};

/// The plans of a thread's latest launches, a few for each kernel.
class Plans {
 public:
  /// Null when there is none.
  [[nodiscard]] const Plan* find(const LaunchState& launch, const Request& request) noexcept;
  /// Takes a plan in and drops the oldest one in its place.
  const Plan& add(std::unique_ptr<const Plan> plan) noexcept;

 private:
  static constexpr std::size_t ways = 4;
  static constexpr std::size_t sets = 16;
  using Set = std::array<std::unique_ptr<const Plan>, ways>;  ///< latest first

  [[nodiscard]] Set& set_of(std::uint64_t table) noexcept { return sets_[table % sets]; }

  std::vector<Set> sets_ = std::vector<Set>(sets);
};

}  // namespace tw::inline v0::detail
