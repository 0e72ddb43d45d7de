// SPDX-License-Identifier: Apache-2.0
// Creation, copies and release of tensors on a fake GPU.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/tilewright.hpp>

#include "tests/support/fake_gpu.hpp"

namespace tw::tests {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class GpuMemory : public testing::Test {
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

View<int, 2> view(const Tensor<int, 2>& t) { return t; }

std::vector<int> counting(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

TEST_F(GpuMemory, FillsElementsOfEverySize) {
  EXPECT_THAT(to_host(filled(device, true, 5)), Each(1));
  EXPECT_THAT(to_host(filled<half>(device, 1.5f, 7)), Each(half(1.5f)));
  EXPECT_THAT(to_host(filled(device, 0x01020304, 9)), Each(0x01020304));
  EXPECT_THAT(to_host(zeroed<double>(device, 3, 4)), Each(0.0));
  // Eight bytes that are no repetition: more of them than a block of staging memory starts with.
  EXPECT_THAT(to_host(filled<std::int64_t>(device, 0x0102030405060708, 5000)),
              Each(0x0102030405060708));
  EXPECT_THAT(to_host(zeroed<float>(device, 0)), IsEmpty());
}

TEST_F(GpuMemory, ManyBlocksGoUpAndDown) {
  const std::vector<int> values = counting(7'000'000);
  EXPECT_EQ(to_host(from_host<int>(device, values)), values);
}

TEST_F(GpuMemory, BoolsAreZeroOrOne) {
  const std::vector<std::uint8_t> bytes = {0, 1, 2, 255};
  EXPECT_THAT(to_host(from_host<bool>(device, bytes)), ElementsAre(0, 1, 1, 1));
}

TEST_F(GpuMemory, ViewsAreReadInTheirOrder) {
  const auto t = from_host(device, counting(12), 3, 4);
  EXPECT_THAT(to_host(view(t).transposed()), ElementsAre(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11));
  EXPECT_THAT(to_host(view(t).slice(1, 1, 2)), ElementsAre(1, 2, 5, 6, 9, 10));
}

TEST_F(GpuMemory, CopiesElementsThatLieApart) {
  const auto t = from_host(device, counting(35 * 40), 35, 40);
  const auto transposed = clone(view(t).transposed());
  EXPECT_EQ(to_host(transposed), to_host(view(t).transposed()));
  EXPECT_EQ(to_host(clone(view(t).slice(0, 3, 30).slice(1, 2, 7))),
            to_host(view(t).slice(0, 3, 30).slice(1, 2, 7)));
  auto bytes = filled<std::int8_t>(device, 1, 4, 4);
  copy(mut(bytes).slice(1, 1, 2), filled<std::int8_t>(device, 7, 4, 2));
  EXPECT_THAT(to_host(bytes), ElementsAre(1, 7, 7, 1, 1, 7, 7, 1, 1, 7, 7, 1, 1, 7, 7, 1));
}

TEST_F(GpuMemory, CopiesBetweenTheCpuAndAGpu) {
  Stream cpu_stream(Device::cpu());
  Stream gpu_stream(device);
  const std::vector<int> values = counting(12);
  const auto source = from_host(Device::cpu(), values, 3, 4);
  auto there = empty<int>(device, 3, 4);
  auto back = empty<int>(Device::cpu(), 3, 4);
  copy(mut(there), source, gpu_stream);
  copy(mut(back), there, gpu_stream);
  EXPECT_EQ(to_host(back), values);
  // Both ways in the order of a stream of the CPU, and with elements that lie apart.
  copy(mut(there), filled(Device::cpu(), 5, 3, 4), cpu_stream);
  copy(mut(there).slice(1, 0, 2), view(source).slice(1, 2, 2), cpu_stream);
  copy(mut(back).transposed(), view(there).transposed(), cpu_stream);
  cpu_stream.sync();
  EXPECT_THAT(to_host(back), ElementsAre(2, 3, 5, 5, 6, 7, 5, 5, 10, 11, 5, 5));
}

TEST_F(GpuMemory, TheLastOfTwoCopiesToTheCpuStays) {
  Stream one(device);
  Stream two(device);
  auto target = zeroed<int>(Device::cpu(), 4);
  copy(mut(target), filled(device, 1, 4), one);
  copy(mut(target), filled(device, 2, 4), two);
  two.sync();
  one.sync();
  EXPECT_THAT(to_host(target), Each(2));
}

TEST_F(GpuMemory, ACopyFromTheCpuSeesWhatAGpuWroteThere) {
  Stream stream(device);
  auto between = zeroed<int>(Device::cpu(), 4);
  auto end = zeroed<int>(device, 4);
  copy(mut(between), filled(device, 3, 4), stream);
  copy(mut(end), between, stream);
  EXPECT_THAT(to_host(end), Each(3));
}

TEST_F(GpuMemory, ACopyOfTheCpuOnAStreamOfAGpuTakesItsTurn) {
  Stream stream(device);
  auto first = zeroed<int>(Device::cpu(), 4);
  auto second = zeroed<int>(Device::cpu(), 4);
  copy(mut(first), filled(device, 3, 4), stream);
  copy(mut(second), first, stream);
  stream.sync();
  EXPECT_THAT(to_host(second), Each(3));
}

TEST_F(GpuMemory, DroppedTensorsServeTheNext) {
  {
    const auto t = filled(device, 1, 1000);
  }
  current_stream(device).sync();
  const std::size_t before = count("cuMemAllocFromPoolAsync");
  for (int i = 0; i < 10; ++i) {
    const auto t = filled(device, i, 1000);
    EXPECT_THAT(to_host(t), Each(i));
  }
  EXPECT_EQ(count("cuMemAllocFromPoolAsync"), before);
}

TEST_F(GpuMemory, WhatIsDroppedInFlightLivesOnUntilItsWorkIsDone) {
  Stream stream(device);
  auto target = empty<int>(device, 1000);
  {
    const auto source = filled(device, 4, 1000);
    copy(mut(target), source, stream);
  }
  const auto other = filled(device, 9, 1000);
  EXPECT_THAT(to_host(target), Each(4));
  EXPECT_THAT(to_host(other), Each(9));
}

TEST(SmallGpuMemory, WorkInFlightIsAwaitedForItsMemory) {
  FakeDevice small;
  small.memory = std::size_t{64} << 20;
  FakeGpu gpu({small});
  const Device device = gpu.device();
  for (int i = 0; i < 12; ++i) {
    const auto t = filled<std::int8_t>(device, static_cast<std::int8_t>(i), 20 << 20);
  }
  EXPECT_THAT([&] { static_cast<void>(empty<std::int8_t>(device, 65 << 20)); },
              ThrowsMessage<DeviceError>(HasSubstr(
                  "gpu:0 has no 68157440 bytes of memory left (cuMemAllocFromPoolAsync failed: "
                  "CUDA_ERROR_OUT_OF_MEMORY")));
  EXPECT_THAT([&] { static_cast<void>(empty<float>(device, std::int64_t{1} << 56)); },
              ThrowsMessage<DeviceError>(HasSubstr("bytes of memory left")));
  // What was kept for small ones was given back for a large one.
  static_cast<void>(empty<std::int8_t>(device, 60 << 20));
}

}  // namespace
}  // namespace tw::tests
