// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/passes/range.hpp>

namespace tw::inline v0::passes {

/// A claim about a kernel that the values of a launch decide: that some of its checks hold in every
/// block and every iteration. A short straight-line program over ranges, evaluated on the host
/// without allocating.
class TILEWRIGHT_API LaunchPredicate {
 public:
  /// The longest program; claims that need more are left to the device.
  static constexpr std::size_t max_steps = 256;
  /// No claim fails.
  static constexpr std::size_t all_hold = ~std::size_t{0};

  /// Adds the claim that the truth value `root` of the program `steps` is always true; false, and
  /// nothing is added, when the predicate would become too long.
  bool require(std::span<const RangeNode> steps, std::uint32_t root);

  /// The number of claims, in the order in which they were added.
  [[nodiscard]] std::size_t claims() const noexcept { return roots_.size(); }
  [[nodiscard]] bool trivial() const noexcept { return roots_.empty(); }
  [[nodiscard]] std::span<const RangeNode> steps() const noexcept { return steps_; }

  /// The first claim that is not proved for a launch of `blocks` blocks along x, y, z, or
  /// `all_hold`. `arguments[i]` is the integer passed as argument i of the entry, whose
  /// bits above its width are not read; arguments that are no integers are not read at all.
  [[nodiscard]] std::size_t first_failure(std::span<const std::int64_t> arguments,
                                          const std::array<std::int64_t, 3>& blocks) const noexcept;
  [[nodiscard]] bool holds(std::span<const std::int64_t> arguments,
                           const std::array<std::int64_t, 3>& blocks) const noexcept {
    return first_failure(arguments, blocks) == all_hold;
  }

 private:
  std::vector<RangeNode> steps_;
  std::vector<std::uint32_t> roots_;
};

}  // namespace tw::inline v0::passes
