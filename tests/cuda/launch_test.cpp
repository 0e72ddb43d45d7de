// SPDX-License-Identifier: Apache-2.0
// Programs of users on a fake GPU.
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/tilewright.hpp>

#include "kernels/vadd.hpp"
#include "tests/support/fake_gpu.hpp"

namespace tw::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FakeGpuLaunch, AddsVectors) {
  FakeGpu gpu;
  const Device device = gpu.device();
  {
    const auto x = from_host<float>(device, std::vector<float>{1, 2, 3, 4, 5});
    const auto y = filled(device, 10.0f, 5);
    auto z = launch<kernels::vadd<float>>(empty<float>(device, 5).partition({4}), x, y).sync();
    EXPECT_THAT(to_host(std::move(z).join()), ElementsAre(11, 12, 13, 14, 15));
  }
  EXPECT_THAT(gpu.driver().violations(), IsEmpty());
  EXPECT_THAT(gpu.left_over(), IsEmpty());
}

}  // namespace
}  // namespace tw::tests
