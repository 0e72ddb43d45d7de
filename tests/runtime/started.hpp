// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>

#include <tilewright/runtime/task.hpp>

namespace tw::testing {

/// A chain of which nobody wants to know when it has finished.
class QuietChain final : public runtime::Chain {
 public:
  std::coroutine_handle<> on_finish() noexcept override { return std::noop_coroutine(); }
};

/// Starts a task and leaves it to whoever has the Task.
template <class R>
void start(Task<R>& task) {
  task.start(runtime::ChainRef(new QuietChain));
}

}  // namespace tw::testing
