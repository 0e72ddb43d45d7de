// SPDX-License-Identifier: Apache-2.0
// Launches whose tensors are gone before they run.
#include <optional>
#include <utility>

#include <gmock/gmock.h>

#include "tests/runtime/gate.hpp"
#include "tests/runtime/launch_kernels.hpp"

namespace tw::tests {
namespace {

using ::testing::ElementsAre;
using testing::Gate;

const Device device = Device::cpu();

TEST(LaunchLifetime, AStoredLaunchOfALoanOutlivesTheOwner) {
  std::optional<View<int, 1>> view;
  const auto prepare = [&] {
    auto owner = counting<int>(3);
    view = owner;
    return launch<increment>(mut(owner).partition({2}), 10);
  };
  Launch<void> stored = prepare();
  EXPECT_THAT(to_host(*view), ElementsAre(0, 1, 2));
  Stream stream(device);
  std::move(stored).on(stream);
  EXPECT_THAT(to_host(*view), ElementsAre(10, 11, 12));
}

TEST(LaunchLifetime, AStoredLaunchNeedsNoTensorThatOthersKnow) {
  const auto prepare = [] {
    auto owner = counting<int>(1000);
    return launch<increment>(mut(owner).partition({64}), 10);
  };
  Launch<void> stored = prepare();
  Stream stream(device);
  std::move(stored).on(stream);
  stream.sync();
}

TEST(LaunchLifetime, WorkInFlightOutlivesItsTensors) {
  Stream stream(device);
  Gate gate;
  gate.close(stream);
  Partition<int, 1> z = [&] {
    const auto x = counting<int>(3);
    return launch<add<int>>(empty<int>(device, 3).partition({2}), x, x).on(stream);
  }();
  EXPECT_FALSE(stream.idle());
  gate.open();
  EXPECT_THAT(to_host(std::move(z).join()), ElementsAre(0, 2, 4));
}

}  // namespace
}  // namespace tw::tests
