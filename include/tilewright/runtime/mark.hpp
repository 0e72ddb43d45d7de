// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/core/export.hpp>

namespace tw::inline v0::runtime {

/// A point in the work of a queue, in one word: reached when the queue has completed `ticket`
/// commands. The queue numbered 0 does not exist; its marks are reached.
class Mark {
 public:
  static constexpr int queue_bits = 12;
  static constexpr std::uint32_t max_queues = 1u << queue_bits;

  constexpr Mark() noexcept = default;
  constexpr Mark(std::uint32_t queue, std::uint64_t ticket) noexcept
      : bits_(ticket << queue_bits | queue) {}

  [[nodiscard]] constexpr std::uint32_t queue() const noexcept {
    return static_cast<std::uint32_t>(bits_) & (max_queues - 1);
  }
  [[nodiscard]] constexpr std::uint64_t ticket() const noexcept { return bits_ >> queue_bits; }

  /// Whether the point is known to be reached, without asking the device; all that happened before
  /// it is then visible to the caller.
  [[nodiscard]] TILEWRIGHT_API bool reached() const noexcept;

  friend constexpr bool operator==(Mark, Mark) noexcept = default;

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace tw::inline v0::runtime
