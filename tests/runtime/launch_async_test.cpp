// SPDX-License-Identifier: Apache-2.0
// Launches as tasks: awaited, and dropped before and after they started.
#include <tuple>
#include <utility>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/async.hpp>

#include "tests/runtime/gate.hpp"
#include "tests/runtime/launch_kernels.hpp"
#include "tests/runtime/started.hpp"

namespace tw::tests {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::Gate;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Device device = Device::cpu();

class LaunchAsyncTest : public ::testing::Test {
 protected:
  Stream stream_{device};
};

TEST_F(LaunchAsyncTest, GivesBackWhatItWasGivenWhenItIsDone) {
  const auto x = counting<int>(3);
  auto task = launch<add<int>>(empty<int>(device, 3).partition({2}), x, x).async(stream_);
  EXPECT_THAT(to_host(sync_wait(std::move(task)).join()), ElementsAre(0, 2, 4));
}

TEST_F(LaunchAsyncTest, GoesOnWhenTheDeviceIsDone) {
  auto x = counting<int>(3);
  const auto twice = [](Tensor<int, 1>& lent, StreamRef stream) -> Task<> {
    for (const int by : {1, 10}) {
      // g++ 12 cannot keep braces of a co_await expression in the frame.
      auto task = launch<increment>(mut(lent).partition({2}), by).async(stream);
      co_await std::move(task);
      EXPECT_TRUE(stream.idle());
    }
  };
  sync_wait(twice(x, stream_));
  EXPECT_THAT(to_host(x), ElementsAre(11, 12, 13));
}

TEST_F(LaunchAsyncTest, SeveralRunTogether) {
  Stream other(device);
  const auto x = counting<int>(3);
  auto [a, b] = sync_wait(
      when_all(launch<add<int>>(empty<int>(device, 3).partition({2}), x, x).async(stream_),
               launch<increment>(counting<int>(2).partition({2}), 5).async(other)));
  EXPECT_THAT(to_host(std::move(a).join()), ElementsAre(0, 2, 4));
  EXPECT_THAT(to_host(std::move(b).join()), ElementsAre(5, 6));
}

TEST_F(LaunchAsyncTest, ThrowsRefusalsWhereItIsAwaited) {
  auto x = counting<int>(3);
  const unsigned line = Location::current().line() + 1;
  auto task = launch<add<int>>(mut(x).partition({2}), x, x).async(stream_);
  try {
    sync_wait(std::move(task));
    FAIL();
  } catch (const LaunchError& error) {
    EXPECT_EQ(error.where().line(), line);
    EXPECT_THAT(error.where().file_name(), HasSubstr("launch_async_test.cpp"));
  }
}

void first_tile(Out<int, dyn> z, In1<int> x, Int at) { z.store(x.tiles(dim<0>(z))(at)); }

TEST_F(LaunchAsyncTest, ThrowsItsFaultWhereItIsAwaited) {
  const auto x = counting<int>(4);
  auto task = launch<first_tile>(empty<int>(device, 2).partition({2}), x, 7).async(stream_);
  EXPECT_THAT([&] { std::ignore = sync_wait(std::move(task)); },
              ThrowsMessage<DeviceFault>(AllOf(HasSubstr("index 7 is not below 2"))));
  stream_.sync();
}

TEST_F(LaunchAsyncTest, DroppedBeforeItStartedItDoesNothing) {
  auto x = counting<int>(3);
  {
    auto task = launch<increment>(mut(x).partition({2}), 1).async(stream_);
    static_cast<void>(task);
  }
  EXPECT_TRUE(stream_.idle());
  EXPECT_THAT(to_host(x), ElementsAre(0, 1, 2));
}

TEST_F(LaunchAsyncTest, DroppedInFlightItRunsToItsEnd) {
  auto given = counting<int>(3);
  const View<int, 1> view = given;
  auto lent = counting<int>(3);
  Gate gate;
  gate.close(stream_);
  {
    auto lends = launch<increment>(mut(lent).partition({2}), 10).async(stream_);
    auto gives = launch<increment>(std::move(given).partition({2}), 20).async(stream_);
    testing::start(lends);
    testing::start(gives);
  }
  EXPECT_FALSE(stream_.idle());
  gate.open();
  EXPECT_THAT(to_host(lent), ElementsAre(10, 11, 12));
  EXPECT_THAT(to_host(view), ElementsAre(20, 21, 22));
}

TEST_F(LaunchAsyncTest, DroppedInFlightItKeepsTheMemoryThatNobodyElseHas) {
  Gate gate;
  gate.close(stream_);
  {
    const auto x = counting<int>(1000);
    auto task = launch<add<int>>(empty<int>(device, 1000).partition({64}), x, x).async(stream_);
    testing::start(task);
  }
  gate.open();
  stream_.sync();
}

}  // namespace
}  // namespace tw::tests
