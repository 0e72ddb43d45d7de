// SPDX-License-Identifier: Apache-2.0
#include "runtime/wait_list.hpp"

#include <algorithm>
#include <span>

namespace tw::inline v0::runtime {

void WaitList::add(Mark mark) {
  if (mark.reached()) return;
  const auto same_queue = [&](Mark each) { return each.queue() == mark.queue(); };
  const auto latest = [&](Mark& each) {
    if (each.ticket() < mark.ticket()) each = mark;
  };
  const auto used = std::span(first_).first(count_);
  if (const auto found = std::ranges::find_if(used, same_queue); found != used.end()) {
    latest(*found);
  } else if (const auto other = std::ranges::find_if(rest_, same_queue); other != rest_.end()) {
    latest(*other);
  } else if (count_ < first_.size()) {
    first_[count_++] = mark;
  } else {
    rest_.push_back(mark);
  }
}

bool WaitList::all_reached() const noexcept {
  bool reached = true;
  for_each([&](Mark mark) { reached = reached && mark.reached(); });
  return reached;
}

}  // namespace tw::inline v0::runtime
