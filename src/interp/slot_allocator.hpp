// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>

#include "interp/frame.hpp"

namespace tw::inline v0::interp {

/// Lays values out in an arena whose size is known once everything has been placed.
class SlotAllocator {
 public:
  /// A place for `bytes` bytes until `release`, aligned for vectors if it is that large.
  Slot allocate(std::size_t bytes);
  void release(Slot slot);
  /// A place for the whole run.
  Slot allocate_permanent(std::size_t bytes);

  [[nodiscard]] std::size_t bytes_above() const noexcept { return peak_; }
  [[nodiscard]] std::size_t bytes_below() const noexcept { return permanent_; }

 private:
  std::map<std::size_t, std::size_t> taken_;  ///< offset -> end
  std::size_t peak_ = 0;
  std::size_t permanent_ = 0;
};

}  // namespace tw::inline v0::interp
