// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/chain.hpp>
#include <tilewright/runtime/event.hpp>
#include <tilewright/runtime/executor.hpp>

namespace tw::inline v0 {

template <class R>
class Task;

namespace runtime {

/// What the frames of all tasks have in common.
class TaskPromise {
 public:
  std::suspend_always initial_suspend() noexcept { return {}; }
  auto final_suspend() noexcept { return FinalAwaiter{}; }

  [[nodiscard]] const ChainRef& chain() const noexcept { return chain_; }
  [[nodiscard]] bool started() const noexcept { return static_cast<bool>(chain_); }
  /// Whether the frame is the outermost of its chain.
  [[nodiscard]] bool outermost() const noexcept { return !awaiting_; }

  /// Makes the frame part of the chain of `awaiting`, which goes on when it has finished.
  void join(const TaskPromise& parent, std::coroutine_handle<> awaiting) noexcept {
    chain_ = parent.chain_;
    awaiting_ = awaiting;
  }
  /// Makes the frame the outermost of a new chain.
  void begin(ChainRef chain, std::coroutine_handle<> self) noexcept {
    chain_ = std::move(chain);
    chain_->set_frame(self);
  }

 private:
  struct FinalAwaiter {
    bool await_ready() noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> frame) noexcept {
      return frame.promise().finish();
    }
    void await_resume() noexcept {}
  };

  // Once the chain has finished, the frame may be destroyed on another thread.
  std::coroutine_handle<> finish() noexcept {
    if (awaiting_) return awaiting_;
    const ChainRef chain = chain_;
    if (chain->finish()) return chain->on_finish();
    chain->destroy_frames();
    return std::noop_coroutine();
  }

  ChainRef chain_;
  std::coroutine_handle<> awaiting_;
};

template <class R>
class Promise final : public TaskPromise {
 public:
  Task<R> get_return_object() noexcept;
  template <class V>
    requires std::convertible_to<V, R>
  void return_value(V&& value) {
    result_.template emplace<1>(std::forward<V>(value));
  }
  void unhandled_exception() noexcept { result_.template emplace<2>(std::current_exception()); }
  R take() {
    if (result_.index() == 2) std::rethrow_exception(std::move(std::get<2>(result_)));
    return std::move(std::get<1>(result_));
  }

 private:
  std::variant<std::monostate, R, std::exception_ptr> result_;
};

template <>
class Promise<void> final : public TaskPromise {
 public:
  Task<void> get_return_object() noexcept;
  void return_void() noexcept {}
  void unhandled_exception() noexcept { error_ = std::current_exception(); }
  void take() {
    if (error_) std::rethrow_exception(std::move(error_));
  }

 private:
  std::exception_ptr error_;
};

/// The chain of a task that a coroutine of another kind awaits.
[[nodiscard]] TILEWRIGHT_API ChainRef chain_before(std::coroutine_handle<> awaiting);

[[noreturn]] TILEWRIGHT_API void refuse_second_await();

}  // namespace runtime

/// Work that gives an `R` later; `R` may be void or move-only. It starts when it is awaited, which
/// any coroutine may do, once; errors are rethrown there. Outside coroutines, `sync_wait` awaits
/// it.
///
/// After a wait for a device it goes on on the thread of the runtime, or of the executor that the
/// wait names. Destroying a task that was not started destroys its arguments. Destroying one that
/// was started gives it up without blocking: launches that are enqueued run to their end, keeping
/// what they use, and the coroutine is destroyed where it waits, or where it next waits if it runs
/// on another thread at that moment.
template <class R = void>
class [[nodiscard("a task does not start until it is awaited")]] Task {
 public:
  using promise_type = runtime::Promise<R>;
  using result_type = R;

  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    Task taken = std::move(other);
    std::swap(frame_, taken.frame_);
    return *this;
  }
  ~Task() {
    if (frame_ && may_destroy()) frame_.destroy();
  }

  /// Uses the task up: what it awaits lies in the frame that awaits it, wherever the Task was.
  auto operator co_await() {
    first_use();
    return Awaiter(std::move(*this));
  }

  /// For combinators such as `when_all`: starts the task on this thread, as the outermost of
  /// `chain`.
  void start(runtime::ChainRef chain) {
    const auto frame = first_use();
    frame.promise().begin(std::move(chain), frame);
    frame.resume();
  }
  /// For combinators: the result of a task that has finished, or its error. Throws LaunchError when
  /// the task was moved away or awaited.
  R take_result() {
    if (!frame_) runtime::refuse_second_await();
    return frame_.promise().take();
  }

 private:
  friend promise_type;
  using Frame = std::coroutine_handle<promise_type>;

  class Awaiter {
   public:
    explicit Awaiter(Task task) noexcept : task_(std::move(task)) {}
    bool await_ready() noexcept { return false; }
    template <class Awaiting>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Awaiting> awaiting) {
      const Frame frame = task_.frame_;
      if constexpr (std::derived_from<Awaiting, runtime::TaskPromise>) {
        frame.promise().join(awaiting.promise(), awaiting);
      } else {
        frame.promise().begin(runtime::chain_before(awaiting), frame);
      }
      return frame;
    }
    R await_resume() { return task_.take_result(); }

   private:
    Task task_;
  };

  explicit Task(Frame frame) noexcept : frame_(frame) {}

  Frame first_use() const {
    if (!frame_ || frame_.promise().started()) runtime::refuse_second_await();
    return frame_;
  }
  // Frames inside a chain are destroyed with the frame that awaits them, which its chain protects.
  [[nodiscard]] bool may_destroy() const noexcept {
    const runtime::TaskPromise& promise = frame_.promise();
    if (!promise.started() || !promise.outermost()) return true;
    const runtime::ChainRef chain = promise.chain();
    return chain->abandon();
  }

  Frame frame_;
};

namespace runtime {

template <class R>
Task<R> Promise<R>::get_return_object() noexcept {
  return Task<R>(std::coroutine_handle<Promise>::from_promise(*this));
}
inline Task<void> Promise<void>::get_return_object() noexcept {
  return Task<void>(std::coroutine_handle<Promise>::from_promise(*this));
}

/// Hands `resumption` to `executor` when `event` is reached, at the latest when this returns if it
/// is reached by then.
TILEWRIGHT_API void resume_after(Event event, Executor& executor, Resumption resumption) noexcept;

/// `co_await reached(event, executor)` in a Task: goes on on the executor when the event is
/// reached, and at once on this thread if it is reached already.
class Reached {
 public:
  Reached(Event event, Executor& executor) noexcept : event_(event), executor_(executor) {}
  bool await_ready() const noexcept { return event_.done(); }
  template <std::derived_from<TaskPromise> P>
  void await_suspend(std::coroutine_handle<P> frame) const noexcept {
    const ChainRef chain = frame.promise().chain();
    const Event event = event_;
    Executor& executor = executor_;
    // From here on `this` lies in a frame that others may resume or destroy.
    if (chain->suspend()) {
      resume_after(event, executor, Resumption(chain, frame));
    } else {
      chain->destroy_frames();
    }
  }
  void await_resume() const noexcept {}

 private:
  Event event_;
  Executor& executor_;
};
[[nodiscard]] inline Reached reached(Event event, Executor& executor = completion_executor()) {
  return {event, executor};
}

/// Counts the tasks that somebody awaits together. One count more is the waiter's own, so that
/// tasks which finish at once do not resume it before it has suspended.
class Gathering {
 public:
  Gathering(std::size_t tasks, Resumption waiter) noexcept
      : left_(tasks + 1), waiter_(std::move(waiter)) {}
  /// Whether the caller is the last.
  [[nodiscard]] bool arrive() noexcept {
    return left_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  void resume_waiter() noexcept { waiter_(); }

 private:
  std::atomic<std::size_t> left_;
  Resumption waiter_;
};

/// The chain of one of the tasks of a gathering.
[[nodiscard]] TILEWRIGHT_API ChainRef chain_into(std::shared_ptr<Gathering> gathering);

/// `co_await started(start, count)` in a Task: starts `count` tasks by `start(i, chain)` and goes
/// on when all have finished.
template <class Start>
class AllFinished {
 public:
  AllFinished(Start start, std::size_t count) : start_(std::move(start)), count_(count) {}
  bool await_ready() const noexcept { return count_ == 0; }
  template <std::derived_from<TaskPromise> P>
  bool await_suspend(std::coroutine_handle<P> frame) {
    const ChainRef chain = frame.promise().chain();
    const auto gathering = std::make_shared<Gathering>(count_, Resumption(chain, frame));
    for (std::size_t i = 0; i < count_; ++i) start_(i, chain_into(gathering));
    if (!chain->suspend()) {
      chain->destroy_frames();
      return true;
    }
    return !(gathering->arrive() && chain->resume());
  }
  void await_resume() const noexcept {}

 private:
  Start start_;
  std::size_t count_;
};

/// A result that can be kept: nothing of a void task.
template <class R>
using Kept = std::conditional_t<std::is_void_v<R>, std::monostate, R>;

template <class R>
Kept<R> kept_result(Task<R>& task) {
  if constexpr (std::is_void_v<R>) {
    task.take_result();
    return {};
  } else {
    return task.take_result();
  }
}

/// Starts something by `start(chain, context)` and blocks until that chain has finished.
TILEWRIGHT_API void run_to_end(void (*start)(ChainRef chain, void* context), void* context,
                               Location where);

}  // namespace runtime

/// Awaits all tasks together, each starting on the thread that awaits this. Gives all results, of
/// void tasks a std::monostate, when all have finished; the first error in the order of the
/// arguments is then rethrown.
template <class... R>
[[nodiscard]] Task<std::tuple<runtime::Kept<R>...>> when_all(Task<R>... tasks) {
  auto start = [&](std::size_t chosen, runtime::ChainRef chain) {
    std::size_t i = 0;
    ((i++ == chosen ? tasks.start(std::move(chain)) : void()), ...);
  };
  co_await runtime::AllFinished(start, sizeof...(R));
  co_return std::tuple<runtime::Kept<R>...>{runtime::kept_result(tasks)...};
}
template <class R>
[[nodiscard]] Task<std::vector<runtime::Kept<R>>> when_all(std::vector<Task<R>> tasks) {
  auto start = [&](std::size_t i, runtime::ChainRef chain) { tasks[i].start(std::move(chain)); };
  co_await runtime::AllFinished(start, tasks.size());
  std::vector<runtime::Kept<R>> results;
  results.reserve(tasks.size());
  for (Task<R>& task : tasks) results.push_back(runtime::kept_result(task));
  co_return results;
}

/// Runs a task, blocking the calling thread until it has finished; gives its result or rethrows its
/// error. Throws LaunchError on the runtime's own thread, which the task may need to go on: a task
/// awaits other tasks.
template <class R>
R sync_wait(Task<R> task, Location where = Location::current()) {
  runtime::run_to_end(
      [](runtime::ChainRef chain, void* context) {
        static_cast<Task<R>*>(context)->start(std::move(chain));
      },
      &task, where);
  return task.take_result();
}

}  // namespace tw::inline v0
