// SPDX-License-Identifier: Apache-2.0
// Programs of users on the GPU of this machine, or on a fake one where it has none. For a real one,
// kernels are assembled by the assembler of this machine, or come from the cache or a bundle.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/runtime/async.hpp>
#include <tilewright/tilewright.hpp>

#include "kernels/matmul.hpp"
#include "kernels/vadd.hpp"
#include "tests/cuda/any_gpu.hpp"

namespace tw::tests {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

void increment(InOut<int, dyn> x, Int by) { x.store(x.load() + by); }

/// Loads the tile that `which` names: whether it is inside only the tensor knows.
void pick(Out<int, dyn> z, In1<int> x, In1<int> which) {
  const int line = __LINE__ + 1;
  z.store(x.tiles(dim<0>(z))(which.at(block<0>(z))));
  static_cast<void>(line);
}
constexpr int pick_line = __LINE__ - 3;

void count_up(InOut<int, dyn, dyn> x) { x.store(x.load() + 1); }

void sum_of_group(Out<int, dyn> z, List<In1<int>> xs) {
  Var total = tw::zeros<int>(dim<0>(z));
  for (Int i : range(xs.size())) total = total + xs[i].load_like(z);
  z.store(total);
}

std::vector<float> numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(random);
  return values;
}

TEST_F(AnyGpu, SaysWhatItIs) {
  EXPECT_EQ(device().name(), "gpu:0");
  EXPECT_EQ(device_named("gpu:0"), device());
  EXPECT_GE(device().compute_capability(), 80);
  EXPECT_THAT([] { std::ignore = Device::gpu(1000); },
              ThrowsMessage<DeviceError>(HasSubstr("there is no device 'gpu:1000'")));
}

TEST_F(AnyGpu, AddsVectors) {
  for (const std::size_t count : {1u, 127u, 128u, 1000u, 1u << 16}) {
    const std::vector<float> a = numbers(count, 1);
    const std::vector<float> b = numbers(count, 2);
    std::vector<float> sums;
    for (std::size_t i = 0; i < count; ++i) sums.push_back(a[i] + b[i]);
    auto z =
        launch<kernels::vadd<float>>(empty<float>(device(), count).partition({128}),
                                     from_host<float>(device(), a), from_host<float>(device(), b))
            .sync();
    EXPECT_EQ(to_host(std::move(z).join()), sums);
  }
}

TEST_F(AnyGpu, FillsAndCopies) {
  EXPECT_THAT(to_host(filled<half>(device(), 1.5f, 1001)), Each(half(1.5f)));
  EXPECT_THAT(to_host(filled<std::int64_t>(device(), 0x0102030405060708, 5000)),
              Each(0x0102030405060708));
  const int side = at_full_size() ? 5000 : 50;
  const std::vector<float> values = numbers(static_cast<std::size_t>(side * side), 3);
  const auto t = from_host<float>(device(), values, side, side);
  EXPECT_EQ(to_host(t), values);
  const View<float, 2> transposed = View<float, 2>(t).transposed();
  EXPECT_EQ(to_host(clone(transposed)), to_host(transposed));
  auto cpu = empty<float>(Device::cpu(), side, side);
  copy(mut(cpu), transposed);
  EXPECT_EQ(to_host(cpu), to_host(transposed));
}

TEST_F(AnyGpu, StreamsFollowEachOther) {
  Stream one(device());
  Stream two(device());
  auto t = filled(device(), 0, at_full_size() ? 1 << 20 : 1000);
  for (int i = 0; i < 500; ++i) {
    launch<increment>(mut(t).partition({256}), 1).on(one);
    launch<increment>(mut(t).partition({256}), 2).on(two);
  }
  EXPECT_THAT(to_host(t), Each(1500));
}

TEST_F(AnyGpu, AFaultNamesItsPlaceAndTheContextLives) {
  Stream stream(device());
  const auto x = from_host<int>(device(), {0, 1, 2, 3, 4, 5, 6, 7});
  auto z = filled(device(), -1, 6);
  launch<pick>(mut(z).partition({2}), x, from_host<int>(device(), {1, 5, 0})).on(stream);
  EXPECT_THAT([&] { stream.sync(); },
              ThrowsMessage<DeviceFault>(AllOf(
                  HasSubstr("pick, launched here, failed at "),
                  HasSubstr("real_device_test.cpp:" + std::to_string(pick_line) +
                            ": load of argument 2 along axis 0: index 5 is not below 4, in block "
                            "(1, 0, 0)"))));
  EXPECT_THAT(to_host(z), ElementsAre(2, 3, 0, 0, 0, 1));
  const auto bad = from_host<int>(device(), {9, 0, 0});
  launch<pick>(mut(z).partition({2}), x, bad).on(stream);
  EXPECT_THROW(std::ignore = to_host(z), DeviceFault);
  EXPECT_THROW(launch<pick>(mut(z).partition({2}), x, bad).sync(), DeviceFault);
  launch<pick>(mut(z).partition({2}), x, from_host<int>(device(), {3, 3, 3})).on(stream);
  stream.sync();
  EXPECT_THAT(to_host(z), ElementsAre(6, 7, 6, 7, 6, 7));
}

Task<Partition<int, 1>> raised(StreamRef stream, Partition<int, 1> t) {
  auto once = co_await launch<increment>(std::move(t), 5).async(stream);
  co_return co_await launch<increment>(std::move(once), 6).async(stream);
}
Task<void> picked(StreamRef stream, Partition<int, 1> z, View<int, 1> x, View<int, 1> which) {
  std::ignore = co_await launch<pick>(std::move(z), x, which).async(stream);
}

TEST_F(AnyGpu, TasksGoOn) {
  Stream stream(device());
  auto t = sync_wait(raised(stream, filled(device(), 1, 1000).partition({64})));
  EXPECT_THAT(to_host(std::move(t).join()), Each(12));
  const auto x = filled(device(), 1, 4);
  const auto bad = from_host<int>(device(), {9});
  EXPECT_THROW(sync_wait(picked(stream, empty<int>(device(), 2).partition({2}), x, bad)),
               DeviceFault);
}

TEST_F(AnyGpu, LargeGridsAndLists) {
  auto t = filled(device(), 0, 70000, 2);
  launch<count_up>(mut(t).partition({1, 1})).sync();
  EXPECT_THAT(to_host(t), Each(1));
  auto wide = filled(device(), 0, at_full_size() ? (1 << 24) + 5 : 100);
  launch<increment>(mut(wide).partition({1}), 3).sync();
  EXPECT_THAT(to_host(wide), Each(3));
  std::vector<Tensor<int, 1>> xs;
  for (int i = 0; i < 4; ++i) xs.push_back(filled(device(), i, 3));
  auto z = launch<sum_of_group>(empty<int>(device(), 3).partition({2}), xs).sync();
  EXPECT_THAT(to_host(std::move(z).join()), Each(6));
}

TEST_F(AnyGpu, OutOfMemoryIsAnErrorAndNoMore) {
  EXPECT_THAT([&] { std::ignore = empty<std::int8_t>(device(), std::int64_t{1} << 42); },
              ThrowsMessage<DeviceError>(HasSubstr("has no 4398046511104 bytes of memory left")));
  const std::int64_t bytes = std::int64_t{1} << (is_real() ? 30 : 10);
  for (int i = 0; i < 300; ++i) std::ignore = empty<std::int8_t>(device(), bytes);
  EXPECT_THAT(to_host(filled(device(), 3, 4)), Each(3));
}

/// The same kernel on both devices, the CPU's being the interpreter.
TEST_F(AnyGpu, MultipliesAsTheInterpreterDoes) {
  constexpr int m = 96;
  constexpr int n = 80;
  constexpr int k = 160;
  const std::vector<float> a = numbers(m * k, 4);
  const std::vector<float> b = numbers(k * n, 5);
  const auto multiply = [&](Device on) {
    return to_host(launch<kernels::matmul<float>>(empty<float>(on, m, n).partition({32, 16}),
                                                  from_host<float>(on, a, m, k),
                                                  from_host<float>(on, b, k, n), 32)
                       .sync()
                       .join());
  };
  EXPECT_THAT(multiply(device()),
              testing::Pointwise(testing::FloatNear(1e-4f), multiply(Device::cpu())));
}

double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

/// No limit: machines differ. What a launch costs the caller, and one that is awaited.
TEST_F(AnyGpu, TellsWhatALaunchCosts) {
  if (!at_full_size()) GTEST_SKIP() << "a fake GPU has no cost";
  Stream stream(device());
  const auto x = filled(device(), 1.0f, 2048);
  const auto y = filled(device(), 2.0f, 2048);
  auto z = empty<float>(device(), 2048);
  const auto add = [&] { launch<kernels::vadd<float>>(mut(z).partition({128}), x, y).on(stream); };
  add();
  stream.sync();
  const auto time_of = [&](int rounds, int burst) {
    double best = 1e9;
    for (int round = 0; round < rounds; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < burst; ++i) add();
      const auto end = std::chrono::steady_clock::now();
      stream.sync();
      best = std::min(best, microseconds(end - begin) / burst);
    }
    return best;
  };
  const auto waited = [&] {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 1000; ++i) {
      add();
      stream.sync();
    }
    return microseconds(std::chrono::steady_clock::now() - begin) / 1000;
  };
  std::cout << "us a launch: " << time_of(50, 64) << " in bursts of 64, " << time_of(20, 1000)
            << " in bursts of 1000, " << waited() << " with the wait\n";
}

}  // namespace
}  // namespace tw::tests
