// SPDX-License-Identifier: Apache-2.0
// Streams, events, tasks and faults of a fake GPU.
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tilewright/driver/owner.hpp>
#include <tilewright/runtime/async.hpp>
#include <tilewright/tilewright.hpp>

#include "tests/support/fake_gpu.hpp"

namespace tw::tests {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

void add_number(Out<int, dyn> z, In1<int> x, Int number) { z.store(x.load_like(z) + number); }

void increment(InOut<int, dyn> x, Int by) { x.store(x.load() + by); }

/// Loads the tile that `which` names: whether it is inside only the tensor knows.
void pick(Out<int, dyn> z, In1<int> x, In1<int> which) {
  z.store(x.tiles(dim<0>(z))(which.at(block<0>(z))));
}

void count_up(InOut<int, dyn, dyn> x) { x.store(x.load() + 1); }

void sum_of_group(Out<int, dyn> z, List<In1<int>> xs) {
  Var total = tw::zeros<int>(dim<0>(z));
  for (Int i : range(xs.size())) total = total + xs[i].load_like(z);
  z.store(total);
}

class GpuStream : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_THAT(gpu.driver().violations(), IsEmpty());
    EXPECT_THAT(gpu.left_over(), IsEmpty());
  }
  [[nodiscard]] std::size_t count(const char* call) {
    return static_cast<std::size_t>(std::ranges::count(gpu.driver().calls(), std::string(call)));
  }

  FakeGpu gpu;
  const Device device = gpu.device();
};

TEST_F(GpuStream, WorkIsLateAndInOrder) {
  Stream stream(device);
  auto t = filled(device, 1, 8);
  for (int i = 0; i < 10; ++i) launch<increment>(mut(t).partition({4}), 2).on(stream);
  EXPECT_FALSE(stream.idle());
  stream.sync();
  EXPECT_TRUE(stream.idle());
  EXPECT_THAT(to_host(t), Each(21));
}

TEST_F(GpuStream, MoreCommandsThanAreHeldAtOnce) {
  Stream stream(device);
  auto t = filled(device, 0, 4);
  for (int i = 0; i < 1000; ++i) launch<increment>(mut(t).partition({4}), 1).on(stream);
  EXPECT_THAT(to_host(t), Each(1000));
}

TEST_F(GpuStream, NothingIsAwaitedOnTheHostBetweenStreams) {
  Stream one(device);
  Stream two(device);
  auto a = filled(device, 1, 4);
  auto b = empty<int>(device, 4);
  launch<add_number>(mut(b).partition({4}), a, 0).on(one);
  one.sync();
  const std::size_t before = count("cuEventSynchronize") + count("cuStreamSynchronize");
  launch<increment>(mut(a).partition({4}), 4).on(one);
  launch<add_number>(mut(b).partition({4}), a, 10).on(two);
  launch<increment>(mut(b).partition({4}), 100).on(one);
  EXPECT_EQ(count("cuEventSynchronize") + count("cuStreamSynchronize"), before);
  EXPECT_GE(count("cuStreamWaitEvent"), 2u);
  EXPECT_THAT(to_host(b), Each(115));
}

TEST_F(GpuStream, EventsAreReachedAndAwaited) {
  Stream one(device);
  Stream two(device);
  auto t = filled(device, 1, 4);
  launch<increment>(mut(t).partition({4}), 1).on(one);
  const Event event = one.record();
  two.wait(event);
  while (!event.done()) {
  }
  EXPECT_TRUE(one.idle());
  event.wait();
  EXPECT_THAT(to_host(t), Each(2));
}

TEST_F(GpuStream, AnEventIsReachedThoughItsStreamGoesOn) {
  Stream stream(device);
  auto t = filled(device, 0, 4);
  launch<increment>(mut(t).partition({4}), 1).on(stream);
  const Event event = stream.record();
  for (int i = 0; i < 100000 && !event.done(); ++i) {
    launch<increment>(mut(t).partition({4}), 1).on(stream);
  }
  EXPECT_TRUE(event.done());
}

TEST_F(GpuStream, FaultsAreThrownOnceAndTheDeviceGoesOn) {
  Stream stream(device);
  const auto x = from_host<int>(device, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto which = from_host<int>(device, {1, 5, 0});
  auto z = filled(device, -1, 6);
  launch<pick>(mut(z).partition({2}), x, which).on(stream);
  EXPECT_THAT([&] { stream.sync(); },
              ThrowsMessage<DeviceFault>(AllOf(
                  HasSubstr("pick, launched here, failed at "), HasSubstr("stream_test.cpp:"),
                  HasSubstr("load of argument 2 along axis 0: index 5 is not below 4, in block "
                            "(1, 0, 0)"))));
  EXPECT_THAT(to_host(z), ElementsAre(2, 3, 0, 0, 0, 1));
  launch<pick>(mut(z).partition({2}), x, from_host<int>(device, {3, 3, 3})).on(stream);
  stream.sync();
  EXPECT_THAT(to_host(z), ElementsAre(6, 7, 6, 7, 6, 7));
}

TEST_F(GpuStream, FaultsReachWhoReadsAndWhoSyncs) {
  Stream stream(device);
  const auto x = from_host<int>(device, {0, 1, 2, 3});
  const auto bad = from_host<int>(device, {7});
  auto z = empty<int>(device, 2);
  launch<pick>(mut(z).partition({2}), x, bad).on(stream);
  EXPECT_THROW(static_cast<void>(to_host(z)), DeviceFault);
  stream.sync();
  EXPECT_THROW(launch<pick>(mut(z).partition({2}), x, bad).sync(), DeviceFault);
  current_stream(device).sync();
}

Task<std::vector<int>> raised_twice(StreamRef stream, Partition<int, 1> t) {
  auto partition = co_await launch<increment>(std::move(t), 5).async(stream);
  partition = co_await launch<increment>(std::move(partition), 7).async(stream);
  co_return to_host(std::move(partition).join());
}

TEST_F(GpuStream, TasksResumeWhenTheDeviceIsDone) {
  Stream stream(device);
  EXPECT_THAT(sync_wait(raised_twice(stream, filled(device, 1, 8).partition({4}))), Each(13));
}

Task<void> picked(StreamRef stream, Partition<int, 1> z, View<int, 1> x, View<int, 1> which) {
  std::ignore = co_await launch<pick>(std::move(z), x, which).async(stream);
}

TEST_F(GpuStream, TasksThrowFaults) {
  Stream stream(device);
  const auto x = from_host<int>(device, {0, 1, 2, 3});
  const auto bad = from_host<int>(device, {7});
  EXPECT_THROW(sync_wait(picked(stream, empty<int>(device, 2).partition({2}), x, bad)),
               DeviceFault);
}

TEST_F(GpuStream, TheCallersContextIsRestored) {
  const driver::PrimaryContext context(gpu.driver().table(), 0);
  const driver::CurrentContext current(gpu.driver().table(), context.get());
  auto t = filled(device, 1, 8);
  launch<increment>(mut(t).partition({4}), 2).sync();
  EXPECT_THAT(to_host(t), Each(3));
  driver::ContextHandle now = nullptr;
  gpu.driver().table().ctx_get_current({}, &now);
  EXPECT_EQ(now, context.get());
}

TEST_F(GpuStream, LongAxesBecomeLinear) {
  auto t = filled(device, 0, 70000, 2);
  launch<count_up>(mut(t).partition({1, 1})).sync();
  EXPECT_THAT(to_host(t), Each(1));
}

TEST_F(GpuStream, ListsHaveTheirTablesOnTheDevice) {
  std::vector<Tensor<int, 1>> xs;
  for (int i = 0; i < 4; ++i) xs.push_back(filled(device, i, 3));
  auto z = launch<sum_of_group>(empty<int>(device, 3).partition({2}), xs).sync();
  EXPECT_THAT(to_host(std::move(z).join()), Each(6));
}

TEST_F(GpuStream, AForkedChildIsRefused) {
  Stream stream(device);
  auto t = filled(device, 1, 4);
  launch<increment>(mut(t).partition({4}), 2).on(stream);
  const pid_t child = fork();
  if (child == 0) {
    int refusals = 0;
    const auto refused = [&](const auto& use) {
      try {
        use();
      } catch (const DeviceError&) {
        ++refusals;
      } catch (...) {
      }
    };
    refused([&] { stream.sync(); });
    refused([&] { static_cast<void>(to_host(t)); });
    refused([&] { static_cast<void>(empty<int>(device, 4)); });
    refused([&] { static_cast<void>(Device::gpu(0)); });
    refused([&] { launch<increment>(mut(t).partition({4}), 2).on(stream); });
    {
      auto dropped = std::move(t);
    }
    const bool cpu_works = to_host(filled(Device::cpu(), 3, 2)) == std::vector<int>{3, 3};
    _exit(refusals == 5 && cpu_works ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_THAT(to_host(t), Each(3));
}

}  // namespace
}  // namespace tw::tests
