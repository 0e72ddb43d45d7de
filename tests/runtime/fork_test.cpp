// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tilewright/core/os.hpp>
#include <tilewright/kernel.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/launch.hpp>
#include <tilewright/runtime/stream.hpp>
#include <tilewright/runtime/task.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "tests/runtime/gate.hpp"

namespace {

using tw::Device;
using tw::Stream;
using tw::testing::enqueue;
using tw::testing::Gate;

/// The thread sanitizer lets no child of a process with threads start threads of its own.
class Fork : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    GTEST_SKIP() << "the child could not start a thread under the thread sanitizer";
#endif
#endif
  }
};

/// Whether `check` holds in a forked child, within ten seconds.
bool holds_in_child(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    bool held = false;
    try {
      held = check();
    } catch (...) {
    }
    _exit(held ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

tw::Task<int> awaited_on(tw::StreamRef stream) {
  int value = 0;
  co_await tw::runtime::reached(enqueue(stream, [&] { value = 5; }));
  co_return value;
}

bool copies(const Stream& stream) {
  auto t = tw::filled(Device::cpu(), 4, 1000);
  return tw::to_host(tw::clone(t, stream)) == std::vector<int>(1000, 4);
}

std::latch making{1};

int made_slowly() {
  static const int value = [] {
    making.count_down();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return 7;
  }();
  return value;
}
const tw::os::MadeBeforeForks<made_slowly> made;

// The first of the forks, which make the value.
TEST_F(Fork, WaitsForWhatAnotherThreadIsMaking) {
  std::thread maker(made_slowly);
  making.wait();
  EXPECT_TRUE(holds_in_child([] { return made_slowly() == 7; }));
  maker.join();
}

std::latch recording{1};
std::latch forked{1};

void fill_late(tw::Out<int, tw::dyn> y, int value) {
  if (recording.try_wait()) return y.store(tw::full(value, tw::dim<0>(y)));
  recording.count_down();
  forked.wait();
  y.store(tw::full(value, tw::dim<0>(y)));
}

std::vector<int> filled_late() {
  auto t = tw::zeroed<int>(Device::cpu(), 4);
  tw::launch<fill_late>(tw::mut(t).partition({2}), 3).sync();
  return tw::to_host(t);
}

TEST_F(Fork, TheChildRecordsAKernelThatAnotherThreadWasRecording) {
  const std::vector<int> expected(4, 3);
  std::thread recorder([&] { EXPECT_EQ(filled_late(), expected); });
  recording.wait();
  EXPECT_TRUE(holds_in_child([&] { return filled_late() == expected; }));
  forked.count_down();
  recorder.join();
}

void add_up(tw::Out<int, tw::dyn> y, tw::Int n) {
  tw::Var sum = tw::zeros<int>(tw::dim<0>(y));
  for (tw::Int i : tw::range(n)) sum = sum + i;
  y.store(sum);
}

/// Keeps the threads that share blocks busy.
bool adds_up(const Stream& stream) {
  auto t = tw::zeroed<int>(Device::cpu(), 1 << 12);
  tw::launch<add_up>(tw::mut(t).partition({64}), 5).on(stream);
  return tw::to_host(t) == std::vector<int>(1 << 12, 10);
}

TEST_F(Fork, TheChildSharesBlocksAnew) {
  std::atomic<bool> stop = false;
  std::thread other([&] {
    Stream stream;
    while (!stop) (void)adds_up(stream);
  });
  Stream used;
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(adds_up(used));
    EXPECT_TRUE(holds_in_child([&] {
      Stream fresh;
      return adds_up(fresh) && adds_up(used);
    }));
  }
  stop = true;
  other.join();
}

TEST_F(Fork, TheChildUsesTheCpuAnew) {
  Stream used;
  ASSERT_TRUE(copies(used));
  ASSERT_EQ(tw::sync_wait(awaited_on(used)), 5);
  EXPECT_TRUE(holds_in_child([&] {
    Stream fresh;
    return copies(fresh) && copies(used) && tw::sync_wait(awaited_on(used)) == 5;
  }));
  EXPECT_TRUE(copies(used));
}

TEST_F(Fork, WorkInFlightBelongsToTheParent) {
  Stream stream;
  Gate gate;
  gate.close(stream);
  int runs = 0;
  enqueue(stream, [&] { ++runs; });
  std::optional t(tw::filled(Device::cpu(), 3, 10));
  const auto copy = tw::clone(*t, stream);
  EXPECT_TRUE(holds_in_child([&] {
    t.reset();
    stream.sync();
    return runs == 0 && copies(stream);
  }));
  gate.open();
  stream.sync();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(tw::to_host(copy), std::vector<int>(10, 3));
}

TEST_F(Fork, MayInterruptOtherThreads) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      Stream stream;
      while (!stop) (void)copies(stream);
    });
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(holds_in_child([] {
      Stream stream;
      return copies(stream);
    }));
  }
  stop = true;
  for (auto& thread : threads) thread.join();
}

}  // namespace
