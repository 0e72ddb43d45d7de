// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <tilewright/runtime/mark.hpp>

namespace tw::inline v0::runtime {

/// The points that a command has to await before it may run: at most one for each queue, the
/// latest.
class WaitList {
 public:
  /// Adds a point unless it is reached already.
  void add(Mark mark);

  [[nodiscard]] bool all_reached() const noexcept;
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < count_; ++i) visit(first_[i]);
    for (const Mark mark : rest_) visit(mark);
  }

 private:
  std::array<Mark, 6> first_;
  std::size_t count_ = 0;
  std::vector<Mark> rest_;
};

}  // namespace tw::inline v0::runtime
