// SPDX-License-Identifier: Apache-2.0
// A launch of a form that its thread has launched before takes a short cut: what differs from
// launch to launch must still be looked at.
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/checks.hpp>

#include "tests/runtime/launch_kernels.hpp"

namespace tw::tests {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class LaunchPlanTest : public testing::Test {
 protected:
  void add_into(Tensor<int, 1>& z, const View<int, 1>& x, const View<int, 1>& y) {
    launch<add<int>>(mut(z).partition({4}), x, y).on(stream_);
  }

  Stream stream_{Device::cpu()};
  Tensor<int, 1> x_ = from_host<int>(Device::cpu(), {1, 2, 3, 4});
  Tensor<int, 1> y_ = from_host<int>(Device::cpu(), {10, 20, 30, 40});
  Tensor<int, 1> z_ = zeroed<int>(Device::cpu(), 4);
};

TEST_F(LaunchPlanTest, OtherTensorsOfTheSameFormAreTheOnesThatAreUsed) {
  add_into(z_, x_, y_);
  auto other = zeroed<int>(Device::cpu(), 4);
  add_into(other, y_, y_);
  EXPECT_THAT(to_host(other), ElementsAre(20, 40, 60, 80));
  EXPECT_THAT(to_host(z_), ElementsAre(11, 22, 33, 44));
}

TEST_F(LaunchPlanTest, OtherNumbersAreTheOnesThatAreUsed) {
  for (int i = 0; i < 5; ++i) launch<increment>(mut(x_).partition({4}), i).on(stream_);
  EXPECT_THAT(to_host(x_), ElementsAre(11, 12, 13, 14));
}

TEST_F(LaunchPlanTest, OtherExtentsAndCutsHaveTheirOwnBlocks) {
  for (const std::int64_t count : {4, 8, 3, 4, 9, 5, 8, 1}) {
    const auto x = counting<int>(count);
    for (const int cut : {1, 4, 2}) {
      const auto z = launch<add<int>>(filled(Device::cpu(), -1, count).partition({cut}), x, x)
                         .on(stream_)
                         .join();
      std::vector<int> expected;
      for (int i = 0; i < count; ++i) expected.push_back(2 * i);
      EXPECT_EQ(to_host(z), expected) << count << " in pieces of " << cut;
    }
  }
}

TEST_F(LaunchPlanTest, OtherStridesAreTheOnesThatAreUsed) {
  const auto matrix = from_host<int>(Device::cpu(), {1, 2, 3, 4}, 2, 2);
  const auto sum = [&](const View<int, 2>& x) {
    return to_host(
        launch<add_matrices<int>>(empty<int>(Device::cpu(), 2, 2).partition({2, 2}), x, x)
            .on(stream_)
            .join());
  };
  EXPECT_THAT(sum(matrix), ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(sum(matrix.transposed()), ElementsAre(2, 6, 4, 8));
}

TEST_F(LaunchPlanTest, AnotherAlignmentIsAnotherForm) {
  const auto x = counting<int>(8);
  for (const std::int64_t start : {0, 1, 2, 4, 3}) {
    add_into(z_, x.slice(0, start, 4), x.slice(0, start, 4));
    const int first = 2 * static_cast<int>(start);
    EXPECT_THAT(to_host(z_), ElementsAre(first, first + 2, first + 4, first + 6));
  }
}

TEST_F(LaunchPlanTest, MemoryThatIsSharedWithAnInputIsRefused) {
  add_into(z_, x_, y_);
  EXPECT_THAT([&] { add_into(z_, x_, z_); },
              ThrowsMessage<LaunchError>(HasSubstr("shares memory")));
}

TEST_F(LaunchPlanTest, MemoryThatBecameReadOnlyIsRefused) {
  add_into(z_, x_, y_);
  auto late = zeroed<int>(Device::cpu(), 4);
  auto loan = mut(late);
  const Shared<int, 1> shared = std::move(late).share();
  EXPECT_THAT([&] { launch<add<int>>(std::move(loan).partition({4}), x_, y_).on(stream_); },
              ThrowsMessage<LaunchError>(HasSubstr("read-only")));
  EXPECT_THAT(to_host(shared), Each(0));
}

TEST_F(LaunchPlanTest, HintsAndTheirAbsenceAreDifferentForms) {
  const auto run = [&](const Hints& hints) {
    launch<add<int>>(mut(z_).partition({1}), x_, y_).hint(hints).on(stream_);
    EXPECT_THAT(to_host(z_), ElementsAre(11, 22, 33, 44));
  };
  run({});
  run({.blocks = 2});
  run({.blocks = 3});
  EXPECT_THAT([&] { run({.blocks = 0}); }, ThrowsMessage<LaunchError>(HasSubstr("blocks")));
  run({});
}

TEST_F(LaunchPlanTest, ChecksThatAreForcedOntoTheDeviceAreNotSkipped) {
  const auto run = [&] {
    launch<add<int>>(mut(z_).partition({4}), x_, y_).deny_device_checks().on(stream_);
  };
  run();
  const CheckMode before = check_mode();
  set_check_mode(CheckMode::all_on_device);
  EXPECT_THROW(run(), LaunchError);
  set_check_mode(before);
  EXPECT_NO_THROW(run());
}

void load_tile(Out<int, dyn> z, In1<int> x, Int at) { z.store(x.tiles(dim<0>(z))(at)); }

TEST_F(LaunchPlanTest, NumbersThatDecideChecksAreLookedAtAgain) {
  const auto x = counting<int>(8);
  for (const int at : {0, 1, 1, 0}) {
    launch<load_tile>(mut(z_).partition({4}), x, at).deny_device_checks().on(stream_);
    EXPECT_EQ(to_host(z_).front(), 4 * at);
  }
  EXPECT_THROW(launch<load_tile>(mut(z_).partition({4}), x, 2).deny_device_checks().on(stream_),
               LaunchError);
}

TEST_F(LaunchPlanTest, EveryThreadFindsItsOwnWay) {
  add_into(z_, x_, y_);
  stream_.sync();
  std::thread([&] {
    Stream other(Device::cpu());
    launch<add<int>>(mut(z_).partition({4}), y_, y_).on(other);
    other.sync();
  }).join();
  EXPECT_THAT(to_host(z_), ElementsAre(20, 40, 60, 80));
}

TEST(KernelTableTest, NoTwoTablesHaveOneSerial) {
  detail::KernelTable first, second;
  EXPECT_NE(first.serial(), second.serial());
  EXPECT_EQ(first.serial(), first.serial());
}

}  // namespace
}  // namespace tw::tests
