// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <coroutine>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/task.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "tests/runtime/gate.hpp"
#include "tests/runtime/started.hpp"
#include "tests/runtime/thrown.hpp"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tw::Device;
using tw::Event;
using tw::LaunchError;
using tw::Stream;
using tw::StreamRef;
using tw::Task;
using tw::runtime::reached;
using tw::testing::enqueue;
using tw::testing::Gate;
using tw::testing::start;
using tw::testing::thrown_by;

Task<int> number(int value) { co_return value; }

Task<int> failing(std::string message) {
  throw std::runtime_error(message);
  co_return 0;
}

/// Does some work on a stream and gives a number.
Task<int> worked_out(StreamRef stream, int value) {
  int result = 0;
  co_await reached(enqueue(stream, [&] { result = value; }));
  co_return result;
}

/// Shares `witness` while it exists, waiting or not.
Task<> holding(std::shared_ptr<int> witness, Event event, std::atomic<int>& resumed) {
  const auto local = witness;
  co_await reached(event);
  ++resumed;
}

/// A coroutine that is not ours: it starts at once and is destroyed by hand.
struct Foreign {
  struct promise_type {
    Foreign get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> frame;
};

Foreign await_in_foreign_coroutine(Task<> task) { co_await std::move(task); }

/// Waits until `witness` is shared by nobody else: frames may be destroyed by other threads.
void await_last(const std::shared_ptr<int>& witness) {
  while (witness.use_count() > 1) std::this_thread::yield();
}

TEST(Task, StartsWhenAwaited) {
  bool started = false;
  auto work = [](bool& flag) -> Task<> {
    flag = true;
    co_return;
  };
  auto task = work(started);
  EXPECT_FALSE(started);
  tw::sync_wait(std::move(task));
  EXPECT_TRUE(started);
}

TEST(Task, GivesResultsOfAnyKind) {
  EXPECT_EQ(tw::sync_wait(number(3)), 3);
  auto unique = [](int value) -> Task<std::unique_ptr<int>> {
    co_return std::make_unique<int>(value);
  };
  EXPECT_EQ(*tw::sync_wait(unique(4)), 4);
  auto tensor = [](int value) -> Task<tw::Tensor<int, 1>> {
    co_return tw::filled(Device::cpu(), value, 2);
  };
  EXPECT_THAT(tw::to_host(tw::sync_wait(tensor(5))), ElementsAre(5, 5));
}

TEST(Task, AwaitsTasks) {
  auto sum = [](StreamRef stream) -> Task<int> {
    auto later = worked_out(stream, 3);
    const int first = co_await worked_out(stream, 1);
    const int second = co_await number(2);
    co_return first + second + co_await later;
  };
  Stream stream;
  EXPECT_EQ(tw::sync_wait(sum(stream)), 6);
}

TEST(Task, RethrowsErrorsWhereItIsAwaited) {
  EXPECT_STREQ(thrown_by<std::runtime_error>([] { tw::sync_wait(failing("one")); }).what(), "one");
  auto caught = []() -> Task<std::string> {
    try {
      co_await failing("two");
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
    co_return "nothing";
  };
  EXPECT_EQ(tw::sync_wait(caught()), "two");
}

TEST(Task, IsAwaitedOnce) {
  auto twice = []() -> Task<int> {
    auto task = number(1);
    const int first = co_await task;
    co_return first + co_await task;
  };
  const auto error = thrown_by<LaunchError>([&] { tw::sync_wait(twice()); });
  EXPECT_THAT(error.what(), HasSubstr("a task is awaited once"));
  auto moved = []() -> Task<int> {
    auto task = number(1);
    auto other = std::move(task);
    co_return co_await task;
  };
  EXPECT_THROW(tw::sync_wait(moved()), LaunchError);
}

TEST(Task, GoesOnOnTheRuntimesThread) {
  using Promise = std::promise<std::thread::id>;
  auto work = [](Event event, std::shared_ptr<Promise> resumed_on) -> Task<> {
    co_await reached(event);
    resumed_on->set_value(std::this_thread::get_id());
  };
  Stream stream;
  std::thread::id worker;
  enqueue(stream, [&] { worker = std::this_thread::get_id(); });
  std::thread::id ids[2];
  for (std::thread::id& id : ids) {
    Gate gate;
    const auto resumed_on = std::make_shared<Promise>();
    auto task = work(gate.close(stream), resumed_on);
    start(task);
    gate.open();
    id = resumed_on->get_future().get();
  }
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_NE(ids[0], std::this_thread::get_id());
  EXPECT_NE(ids[0], worker);
}

TEST(Task, GoesOnAtOnceWhenThereIsNothingToWaitFor) {
  auto work = [](StreamRef stream) -> Task<std::thread::id> {
    co_await reached(stream.record());
    co_return std::this_thread::get_id();
  };
  EXPECT_EQ(tw::sync_wait(work(Stream())), std::this_thread::get_id());
}

/// Collects what is to go on until somebody calls `run`.
class ManualExecutor final : public tw::Executor {
 public:
  void post(tw::Resumption resumption) noexcept override {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(resumption));
  }
  /// Runs one; waits until there is one.
  void run() {
    std::optional<tw::Resumption> next;
    while (!next) {
      const std::scoped_lock lock(mutex_);
      if (waiting_.empty()) continue;
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
    (*next)();
  }

 private:
  std::mutex mutex_;
  std::deque<tw::Resumption> waiting_;
};

TEST(Task, GoesOnOnTheExecutorThatTheWaitNames) {
  Stream stream;
  Gate gate;
  const Event event = gate.close(stream);
  ManualExecutor executor;
  std::thread::id resumed_on;
  auto work = [](Event awaited, ManualExecutor& where, std::thread::id& id) -> Task<> {
    co_await reached(awaited, where);
    id = std::this_thread::get_id();
  };
  auto task = work(event, executor, resumed_on);
  start(task);
  gate.open();
  executor.run();
  EXPECT_EQ(resumed_on, std::this_thread::get_id());
}

TEST(Task, IsNotWaitedForOnTheRuntimesThread) {
  auto nested = [](StreamRef stream) -> Task<std::string> {
    Gate gate;
    const Event event = gate.close(stream);
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      gate.open();
    });
    co_await reached(event);
    opener.join();
    try {
      tw::sync_wait(worked_out(stream, 1));
    } catch (const LaunchError& error) {
      co_return error.what();
    }
    co_return "";
  };
  Stream stream;
  EXPECT_THAT(tw::sync_wait(nested(stream)), HasSubstr("co_await the task instead"));
}

TEST(Task, MayDestroyTheStreamItWaitedFor) {
  auto work = []() -> Task<int> {
    auto stream = std::make_unique<Stream>();
    int value = 0;
    co_await reached(enqueue(*stream, [&] { value = 8; }));
    stream.reset();
    co_return value;
  };
  for (int i = 0; i < 200; ++i) ASSERT_EQ(tw::sync_wait(work()), 8);
}

TEST(WhenAll, GivesAllResultsInOrder) {
  Stream a, b;
  auto nothing = []() -> Task<> { co_return; };
  const auto [x, y, z, n] =
      tw::sync_wait(tw::when_all(worked_out(a, 1), worked_out(b, 2), number(3), nothing()));
  EXPECT_EQ(x, 1);
  EXPECT_EQ(y, 2);
  EXPECT_EQ(z, 3);
  EXPECT_EQ(n, std::monostate());
  EXPECT_EQ(tw::sync_wait(tw::when_all()), std::tuple<>());
}

TEST(WhenAll, TakesAListOfTasks) {
  Stream stream;
  std::vector<Task<int>> tasks;
  for (int i = 0; i < 20; ++i) tasks.push_back(worked_out(stream, i));
  const auto results = tw::sync_wait(tw::when_all(std::move(tasks)));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(results.at(static_cast<std::size_t>(i)), i);
  EXPECT_TRUE(tw::sync_wait(tw::when_all(std::vector<Task<int>>())).empty());
}

TEST(WhenAll, AwaitsAllEvenIfOneFails) {
  Stream stream;
  Gate gate;
  std::atomic<int> resumed = 0;
  const auto witness = std::make_shared<int>();
  const Event event = gate.close(stream);
  std::thread opener([&] { gate.open(); });
  const auto error = thrown_by<std::runtime_error>([&] {
    tw::sync_wait(
        tw::when_all(holding(witness, event, resumed), failing("first"), failing("second")));
  });
  EXPECT_STREQ(error.what(), "first");
  EXPECT_EQ(resumed, 1);
  opener.join();
}

TEST(WhenAll, RunsTasksTogether) {
  Stream a, b;
  Gate gate_a, gate_b;
  const Event event_a = gate_a.close(a), event_b = gate_b.close(b);
  // Each opens the gate of the other: in turn they would wait for ever.
  auto open_other = [](Gate& other, Event own) -> Task<> {
    other.open();
    co_await reached(own);
  };
  tw::sync_wait(tw::when_all(open_other(gate_b, event_a), open_other(gate_a, event_b)));
}

TEST(DroppedTask, DropsItsArgumentsWhenItWasNotStarted) {
  const auto witness = std::make_shared<int>();
  std::atomic<int> resumed = 0;
  {
    auto task = holding(witness, Event(), resumed);
    EXPECT_EQ(witness.use_count(), 2);
    auto both = tw::when_all(std::move(task), number(1));
  }
  EXPECT_EQ(witness.use_count(), 1);
  EXPECT_EQ(resumed, 0);
}

TEST(DroppedTask, IsDestroyedWhereItWaits) {
  const auto witness = std::make_shared<int>();
  std::atomic<int> resumed = 0;
  Stream stream;
  Gate gate;
  const Event event = gate.close(stream);
  for (const bool elsewhere : {false, true}) {
    auto task = std::make_unique<Task<>>(holding(witness, event, resumed));
    start(*task);
    EXPECT_EQ(witness.use_count(), 3);
    if (elsewhere) {
      std::thread([&] { task.reset(); }).join();
    } else {
      task.reset();
    }
    EXPECT_EQ(witness.use_count(), 1);
  }
  gate.open();
  stream.sync();
  EXPECT_EQ(resumed, 0);
}

TEST(DroppedTask, MayBeInsideAnotherCoroutine) {
  const auto witness = std::make_shared<int>();
  std::atomic<int> resumed = 0;
  Stream stream;
  Gate gate;
  const Event event = gate.close(stream);
  auto outer = [](Task<> inner) -> Task<> {
    co_await std::move(inner);
    ADD_FAILURE() << "resumed";
  };
  Foreign foreign = await_in_foreign_coroutine(outer(holding(witness, event, resumed)));
  EXPECT_EQ(witness.use_count(), 3);
  foreign.frame.destroy();
  EXPECT_EQ(witness.use_count(), 1);
  gate.open();
  stream.sync();
  EXPECT_EQ(resumed, 0);
}

TEST(DroppedTask, DropsWhatItAwaitsTogether) {
  const auto witness = std::make_shared<int>();
  std::atomic<int> resumed = 0;
  Stream a, b;
  Gate gate_a, gate_b;
  {
    auto both = tw::when_all(holding(witness, gate_a.close(a), resumed),
                             holding(witness, gate_b.close(b), resumed), number(1));
    start(both);
    EXPECT_EQ(witness.use_count(), 5);
  }
  EXPECT_EQ(witness.use_count(), 1);
}

TEST(DroppedTask, LaunchesInFlightRunToTheirEnd) {
  Stream stream;
  Gate gate;
  gate.close(stream);
  auto target = tw::zeroed<int>(Device::cpu(), 4);
  auto work = [](tw::Mut<int, 1> to, StreamRef on) -> Task<> {
    tw::copy(std::move(to), tw::filled(Device::cpu(), 6, 4), on);
    co_await reached(on.record());
  };
  {
    auto task = work(tw::mut(target), stream);
    start(task);
  }
  gate.open();
  EXPECT_THAT(tw::to_host(target), ElementsAre(6, 6, 6, 6));
}

TEST(DroppedTask, IsKeptByTheTaskThatAwaitsIt) {
  const auto witness = std::make_shared<int>();
  std::atomic<int> resumed = 0;
  Stream stream;
  Gate gate;
  std::optional<Task<>> inner = holding(witness, gate.close(stream), resumed);
  auto outer = [](std::optional<Task<>>& awaited) -> Task<> { co_await *awaited; };
  auto task = outer(inner);
  start(task);
  inner.reset();
  gate.open();
  stream.sync();
  await_last(witness);
  EXPECT_EQ(resumed, 1);
}

TEST(Task, HasNoResultOnceItWasAwaited) {
  auto task = number(1);
  auto outer = [&]() -> Task<int> { co_return co_await task; };
  EXPECT_EQ(tw::sync_wait(outer()), 1);
  EXPECT_THROW((void)task.take_result(), LaunchError);
}

// Completion and destruction meet on two threads at every possible moment: the frame is destroyed
// once, by one of them.
TEST(DroppedTask, MayFinishMeanwhile) {
  const auto witness = std::make_shared<int>();
  std::atomic<int> resumed = 0;
  Stream stream;
  auto twice = [](std::shared_ptr<int> held, StreamRef on, std::atomic<int>& count) -> Task<> {
    for (int i = 0; i < 3; ++i) {
      co_await holding(held, enqueue(on, [] {}), count);
      co_await tw::when_all(holding(held, enqueue(on, [] {}), count), number(i));
    }
  };
  for (int i = 0; i < 2000; ++i) {
    auto task = std::make_unique<Task<>>(twice(witness, stream, resumed));
    start(*task);
    for (int spin = 0; spin < i % 50; ++spin) std::this_thread::yield();
    task.reset();
  }
  stream.sync();
  await_last(witness);
  EXPECT_LE(resumed, 2000 * 6);
}

}  // namespace
