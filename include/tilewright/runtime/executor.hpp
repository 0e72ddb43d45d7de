// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <utility>

#include <tilewright/core/export.hpp>
#include <tilewright/runtime/chain.hpp>

namespace tw::inline v0 {

/// The rest of a task that waited for a device, to be called once, on the thread where the task is
/// to go on. It runs the task up to its next wait; if nobody wants the task any more it does
/// nothing. One that is dropped leaves its task waiting until the Task is destroyed.
class Resumption {
 public:
  Resumption(runtime::ChainRef chain, std::coroutine_handle<> frame) noexcept
      : chain_(std::move(chain)), frame_(frame) {}
  Resumption(Resumption&&) noexcept = default;
  Resumption& operator=(Resumption&&) noexcept = default;

  void operator()() noexcept {
    const runtime::ChainRef chain = std::move(chain_);
    if (chain->resume()) frame_.resume();
  }

 private:
  runtime::ChainRef chain_;
  std::coroutine_handle<> frame_;
};

/// Where tasks go on after a wait: a thread, a pool, an event loop. It must outlive what it was
/// given.
class TILEWRIGHT_API Executor {
 public:
  virtual ~Executor() = default;
  /// Has `resumption` called soon, by another stack frame than this call. Called on threads of the
  /// library, which must not be held up.
  virtual void post(Resumption resumption) noexcept = 0;
};

/// The runtime's own thread, for tasks that name no executor. What runs there must not block for
/// long.
[[nodiscard]] TILEWRIGHT_API Executor& completion_executor();

}  // namespace tw::inline v0
