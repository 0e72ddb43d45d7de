// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <latch>
#include <memory>
#include <span>
#include <utility>

#include <tilewright/runtime/submit.hpp>

namespace tw::testing {

/// Holds commands of a stream up until it is opened; opens itself at the end of the scope, so that
/// a failed test does not hang.
class Gate {
 public:
  ~Gate() { open(); }

  /// Enqueues a command that waits for the gate.
  Event close(const StreamRef& stream, std::span<const runtime::Use> uses = {}) {
    return runtime::submit(
        stream, uses, [latch = latch_] { latch->wait(); }, runtime::RunOn::worker,
        Location::current());
  }
  void open() {
    if (!std::exchange(opened_, true)) latch_->count_down();
  }

 private:
  std::shared_ptr<std::latch> latch_ = std::make_shared<std::latch>(1);
  bool opened_ = false;
};

/// Enqueues `work` on a stream's own thread.
template <class Work>
Event enqueue(const StreamRef& stream, Work&& work, std::span<const runtime::Use> uses = {}) {
  return runtime::submit(stream, uses, std::forward<Work>(work), runtime::RunOn::worker,
                         Location::current());
}

}  // namespace tw::testing
