// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/log.hpp>
#include <tilewright/runtime/stream.hpp>
#include <tilewright/runtime/submit.hpp>

#include "tests/runtime/gate.hpp"
#include "tests/runtime/thrown.hpp"
#include "tests/support/log_capture.hpp"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tw::Event;
using tw::LaunchError;
using tw::Location;
using tw::Stream;
using tw::StreamRef;
using tw::runtime::RunOn;
using tw::testing::enqueue;
using tw::testing::Gate;
using tw::testing::thrown_by;

Event run_on_caller(const StreamRef& stream, tw::runtime::Command command) {
  return tw::runtime::submit(stream, {}, std::move(command), RunOn::caller_if_idle,
                             Location::current());
}

TEST(Stream, RunsCommandsInOrderBesideTheCaller) {
  Stream stream;
  std::vector<int> order;
  std::thread::id runner;
  Gate gate;
  gate.close(stream);
  for (int i = 0; i < 1000; ++i) {
    if (i == 200) gate.open();
    enqueue(stream, [&order, i] { order.push_back(i); });
  }
  enqueue(stream, [&] { runner = std::this_thread::get_id(); });
  stream.sync();
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  EXPECT_NE(runner, std::this_thread::get_id());
}

TEST(Stream, StreamsRunBesideEachOther) {
  Stream a, b;
  Gate gate;
  gate.close(a);
  bool ran = false;
  enqueue(b, [&] { ran = true; });
  b.sync();
  EXPECT_TRUE(ran);
  EXPECT_FALSE(a.idle());
  gate.open();
  a.sync();
  EXPECT_TRUE(a.idle());
}

TEST(Stream, DestroyingOneWaitsForItsWork) {
  std::atomic<int> runs = 0;
  {
    Stream stream;
    for (int i = 0; i < 100; ++i) enqueue(stream, [&] { ++runs; });
  }
  EXPECT_EQ(runs, 100);
}

TEST(Stream, MovesWithItsWork) {
  std::optional<Stream> a(std::in_place);
  Gate gate;
  bool ran = false;
  gate.close(*a);
  enqueue(*a, [&] { ran = true; });
  Stream b = std::move(*a);
  const auto error = thrown_by<LaunchError>([&] { a->sync(); });
  EXPECT_THAT(error.what(), HasSubstr("the stream was moved away"));
  a.reset();
  gate.open();
  b.sync();
  EXPECT_TRUE(ran);
}

TEST(Stream, NamesOfDestroyedStreamsAreRefused) {
  std::optional<Stream> stream(std::in_place);
  const StreamRef name = *stream;
  const Event event = name.record();
  stream.reset();
  const Stream next;  // may use the same queue
  const auto error = thrown_by<LaunchError>([&] { name.sync(); });
  EXPECT_THAT(error.what(), HasSubstr("the stream was destroyed"));
  EXPECT_THROW(enqueue(name, [] {}), LaunchError);
  EXPECT_TRUE(event.done());
}

TEST(Stream, RunsOnTheCallerWhenIdleAndAskedTo) {
  Stream stream;
  std::thread::id runner;
  run_on_caller(stream, [&] { runner = std::this_thread::get_id(); });
  EXPECT_EQ(runner, std::this_thread::get_id());
  Gate gate;
  gate.close(stream);
  const Event event = run_on_caller(stream, [&] { runner = std::this_thread::get_id(); });
  EXPECT_FALSE(event.done());
  gate.open();
  event.wait();
  EXPECT_NE(runner, std::this_thread::get_id());
}

TEST(Stream, WorkBehindACallersRunsAfterIt) {
  Stream stream;
  std::atomic<bool> first_done = false;
  bool second_saw_it = false;
  run_on_caller(stream, [&] {
    enqueue(stream, [&] { second_saw_it = first_done; });
    first_done = true;
  });
  stream.sync();
  EXPECT_TRUE(second_saw_it);
}

TEST(Stream, TakesCommandsFromSeveralThreads) {
  Stream stream;
  int runs = 0;  // the stream runs one command at a time
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        const auto run_on = i % 3 == 0 ? RunOn::caller_if_idle : RunOn::worker;
        tw::runtime::submit(stream, {}, [&] { ++runs; }, run_on, Location::current());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  stream.sync();
  EXPECT_EQ(runs, 2000);
}

TEST(Stream, DoesNotWaitForItself) {
  Stream stream;
  std::string message;
  enqueue(stream, [&] {
    try {
      stream.sync();
    } catch (const LaunchError& error) {
      message = error.what();
    }
  });
  stream.sync();
  EXPECT_THAT(message, HasSubstr("a stream would wait for itself"));
}

TEST(Stream, CommandsOfAnySizeAreDestroyedOnceAndBeforeTheyCountAsDone) {
  const auto alive = std::make_shared<int>();
  Stream stream;
  const std::array<std::byte, 1000> large{};
  enqueue(stream, [alive] {});
  enqueue(stream, [alive, large] { (void)large; });
  stream.record().wait();
  EXPECT_EQ(alive.use_count(), 1);
  Gate gate;
  gate.close(stream);
  enqueue(stream, [alive, large] { (void)large; });
  EXPECT_EQ(alive.use_count(), 2);
}

TEST(Event, IsReachedWhenWhatWasBeforeHasRun) {
  EXPECT_TRUE(Event().done());
  Stream stream;
  Gate first, second;
  first.close(stream);
  const Event event = stream.record();
  second.close(stream);
  EXPECT_FALSE(event.done());
  first.open();
  event.wait();
  EXPECT_TRUE(event.done());
  EXPECT_FALSE(stream.record().done());
}

TEST(Event, OrdersStreamsWithoutHoldingTheCaller) {
  Stream a, b;
  Gate gate;
  std::atomic<bool> first = false;
  bool second_saw_it = false;
  gate.close(a);
  enqueue(a, [&] { first = true; });
  b.wait(a.record());
  const Event after = enqueue(b, [&] { second_saw_it = first; });
  EXPECT_FALSE(after.done());
  gate.open();
  b.sync();
  EXPECT_TRUE(second_saw_it);
}

TEST(Event, OutlivesItsStream) {
  Event event;
  {
    Stream stream;
    enqueue(stream, [] {});
    event = stream.record();
  }
  EXPECT_TRUE(event.done());
  event.wait();
  Stream other;
  other.wait(event);
  EXPECT_TRUE(other.idle());
}

TEST(Faults, AreDeliveredBySyncOneAfterTheOther) {
  Stream stream;
  bool ran = false;
  enqueue(stream, [] { throw std::runtime_error("first"); });
  enqueue(stream, [] { throw std::runtime_error("second"); });
  enqueue(stream, [&] { ran = true; });
  EXPECT_STREQ(thrown_by<std::runtime_error>([&] { stream.sync(); }).what(), "first");
  EXPECT_STREQ(thrown_by<std::runtime_error>([&] { stream.sync(); }).what(), "second");
  stream.sync();
  EXPECT_TRUE(ran);
}

TEST(Faults, OfACommandAreCollectedByItsEvent) {
  Stream stream;
  const Event good = enqueue(stream, [] {});
  const Event bad = enqueue(stream, [] { throw std::runtime_error("bad"); });
  tw::runtime::collect(good, Location::current());
  EXPECT_STREQ(
      thrown_by<std::runtime_error>([&] { tw::runtime::collect(bad, Location::current()); }).what(),
      "bad");
  tw::runtime::collect(bad, Location::current());
  stream.sync();
}

TEST(Faults, OfACommandOnTheCallerAreKeptToo) {
  Stream stream;
  run_on_caller(stream, [] { throw std::runtime_error("here"); });
  EXPECT_STREQ(thrown_by<std::runtime_error>([&] { stream.sync(); }).what(), "here");
}

TEST(Faults, ThatNobodyCollectsGoToTheLogSink) {
  std::vector<std::string> messages;
  auto former = tw::set_log_sink([&](tw::LogLevel level, std::string_view message) {
    EXPECT_EQ(level, tw::LogLevel::error);
    messages.emplace_back(message);
  });
  {
    Stream stream;
    enqueue(stream, [] { throw std::runtime_error("lost"); });
  }
  tw::set_log_sink(std::move(former));
  EXPECT_THAT(messages, ElementsAre("lost"));
}

TEST(Faults, BeyondACertainNumberTheOldestGoToTheLogSink) {
  const tw::tests::LogCapture log;
  Stream stream;
  for (int i = 0; i < 66; ++i) {
    enqueue(stream, [i] { throw std::runtime_error(std::to_string(i)); });
  }
  EXPECT_STREQ(thrown_by<std::runtime_error>([&] { stream.sync(); }).what(), "2");
  EXPECT_THAT(log.lines(), ElementsAre("0", "1"));
}

TEST(CurrentStream, IsTheDevicesOwnUnlessAScopeSaysOtherwise) {
  const StreamRef shared = tw::current_stream();
  StreamRef elsewhere = shared;
  Stream mine, inner;
  {
    const tw::CurrentStream scope(mine);
    EXPECT_EQ(tw::current_stream(), mine);
    {
      const tw::CurrentStream nested(inner);
      EXPECT_EQ(tw::current_stream(), inner);
    }
    EXPECT_EQ(tw::current_stream(), mine);
    std::thread([&] { elsewhere = tw::current_stream(); }).join();
  }
  EXPECT_EQ(tw::current_stream(), shared);
  EXPECT_EQ(elsewhere, shared);
}

TEST(CurrentStream, EndsInAnyOrderAndOnAnyThread) {
  const StreamRef shared = tw::current_stream();
  Stream first, second;
  auto outer = std::make_unique<tw::CurrentStream>(first);
  auto inner = std::make_unique<tw::CurrentStream>(second);
  outer.reset();
  EXPECT_EQ(tw::current_stream(), second);
  std::thread([&] {
    auto scope = std::move(inner);
    scope.reset();
    EXPECT_EQ(tw::current_stream(), shared);
  }).join();
}

}  // namespace
