// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <utility>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/task.hpp>

#include "runtime/completion_thread.hpp"
#include "runtime/cuda/watch.hpp"
#include "runtime/queue.hpp"
#include "runtime/recording.hpp"

namespace tw::inline v0::runtime {
namespace {

/// Resumes a coroutine of another kind.
class ChainBefore final : public Chain {
 public:
  explicit ChainBefore(std::coroutine_handle<> awaiting) noexcept : awaiting_(awaiting) {}
  std::coroutine_handle<> on_finish() noexcept override { return awaiting_; }

 private:
  std::coroutine_handle<> awaiting_;
};

/// Counts towards the tasks that somebody awaits together.
class ChainInto final : public Chain {
 public:
  explicit ChainInto(std::shared_ptr<Gathering> gathering) noexcept
      : gathering_(std::move(gathering)) {}
  std::coroutine_handle<> on_finish() noexcept override {
    if (gathering_->arrive()) gathering_->resume_waiter();
    return std::noop_coroutine();
  }

 private:
  std::shared_ptr<Gathering> gathering_;
};

/// Wakes a thread. The thread may return, and destroy the task, before `on_finish` has returned:
/// the one who finished still holds the chain.
class BlockingChain final : public Chain {
 public:
  std::coroutine_handle<> on_finish() noexcept override {
    finished_.store(true, std::memory_order_release);
    finished_.notify_one();
    return std::noop_coroutine();
  }
  void wait() const noexcept {
    while (!finished_.load(std::memory_order_acquire)) {
      finished_.wait(false, std::memory_order_acquire);
    }
  }

 private:
  std::atomic<bool> finished_ = false;
};

/// The command that ends a wait for a device.
struct Post {
  Executor* executor;
  Resumption resumption;

  void operator()() noexcept { executor->post(std::move(resumption)); }
};

}  // namespace

ChainRef chain_before(std::coroutine_handle<> awaiting) {
  return ChainRef(new ChainBefore(awaiting));
}

ChainRef chain_into(std::shared_ptr<Gathering> gathering) {
  return ChainRef(new ChainInto(std::move(gathering)));
}

void refuse_second_await() { throw LaunchError("a task is awaited once", Location{}); }

void resume_after(Event event, Executor& executor, Resumption resumption) noexcept {
  Queue* queue = Queue::find(event.mark().queue());
  if (queue == nullptr || event.done()) {
    executor.post(std::move(resumption));
  } else if (queue->device() == Device::cpu()) {
    queue->submit_always(Post{&executor, std::move(resumption)});
  } else {
    cuda::post_when_reached(event.mark(), executor, std::move(resumption));
  }
}

void run_to_end(void (*start)(ChainRef chain, void* context), void* context, Location where) {
  if (on_completion_thread()) {
    throw LaunchError(
        "sync_wait would block the thread that tasks go on on: co_await the task instead", where);
  }
  refuse_while_recording(where);
  auto* chain = new BlockingChain;
  const ChainRef held(chain);
  start(held, context);
  chain->wait();
}

}  // namespace tw::inline v0::runtime
