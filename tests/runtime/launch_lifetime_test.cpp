// SPDX-License-Identifier: Apache-2.0
// Launches whose tensors are gone before they run.
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/borrow.hpp>

#include "tests/runtime/gate.hpp"
#include "tests/runtime/launch_kernels.hpp"
#include "tests/runtime/thrown.hpp"

namespace tw::tests {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::Gate;
using ::testing::HasSubstr;
using testing::thrown_by;
using ::testing::ThrowsMessage;

const Device device = Device::cpu();

void first_of_list(Out<int, dyn> out, List<In1<int>> in) { out.store(in[0].load_like(out)); }

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

/// Values that are borrowed, and what was made of the tensor before its scope ended.
struct Leftovers {
  std::vector<int> values = std::vector<int>(8, 1);
  unsigned borrowed_at = 0;
  std::optional<View<int, 1>> view;
  std::optional<Mut<int, 1>> loan;
  std::optional<LentPartition<int, 1>> partition;
  std::optional<Launch<void>> launched;

  Leftovers() {
    borrowed_at = Location::current().line() + 1;
    auto t = borrow(std::span(values), 8);
    view = t;
    loan = mut(t);
    partition = mut(t).partition({4});
    launched = launch<increment>(mut(t).partition({4}), 1);
  }
};

TEST(LaunchLifetime, NothingThatIsLeftOfABorrowingRunsAfterItsScope) {
  Leftovers left;
  const auto expect_refused = [&](auto&& use) {
    const auto error = thrown_by<LaunchError>(use);
    EXPECT_THAT(error.what(), HasSubstr("whose borrowing has ended"));
    EXPECT_EQ(error.diagnostics()[0].notes.at(0).where.line(), left.borrowed_at);
  };
  expect_refused([&] { std::move(*left.launched).sync(); });
  expect_refused([&] { launch<increment>(std::move(*left.partition), 1).sync(); });
  expect_refused([&] { launch<increment>(std::move(*left.loan).partition({8}), 1).sync(); });
  expect_refused([&] {
    (void)launch<add<int>>(empty<int>(device, 8).partition({8}), *left.view, *left.view).sync();
  });
  EXPECT_THAT([&] { (void)to_host(*left.view); },
              ThrowsMessage<LaunchError>(HasSubstr("the borrowing of this memory has ended")));
  EXPECT_THAT([&] { (void)clone(*left.view); },
              ThrowsMessage<LaunchError>(HasSubstr("the borrowing of this memory has ended")));
  EXPECT_THAT(left.values, Each(1));
  EXPECT_NO_THROW((void)borrow(std::span(left.values), 8));  // the register has let go of it
}

TEST(LaunchLifetime, TheEndOfABorrowingWaitsWhateverIsLeftOfIt) {
  std::vector<int> values(8, 1);
  Stream stream(device);
  Gate gate;
  gate.close(stream);
  std::optional<Launch<void>> stored;
  std::optional<View<int, 1>> view;
  std::thread opener;
  {
    auto t = borrow(std::span(values), 8);
    view = t;
    stored = launch<increment>(mut(t).partition({4}), 10);
    launch<increment>(mut(t).partition({4}), 5).on(stream);
    opener = std::thread([&] { gate.open(); });
  }
  EXPECT_THAT(values, Each(6));
  opener.join();
}

TEST(LaunchLifetime, ABorrowingGoesWhereItsTensorIsMoved) {
  std::vector<int> values(8, 1);
  Partition<int, 1> partition = [&] {
    auto t = borrow(std::span(values), 8);
    auto [first, second] = std::move(t).split(0, 4);
    Partition<int, 1> rest = std::move(first).partition({4});
    return launch<increment>(std::move(rest), 1).sync();
  }();
  (void)launch<increment>(std::move(partition), 1).sync().join();
  EXPECT_THAT(values, ElementsAre(3, 3, 3, 3, 1, 1, 1, 1));
}

TEST(LaunchLifetime, ABorrowedViewPassesItsBorrowingOn) {
  const std::vector<int> values{1, 2};
  std::vector<View<int, 1>> views;
  for (int i = 0; i < 5; ++i) views.push_back(borrow(std::span(values), 2));
  for (const auto& view : views) EXPECT_THAT(to_host(view), ElementsAre(1, 2));
  View<int, 1> moved = std::move(views.back());
  EXPECT_THAT(to_host(views.back()), ElementsAre(1, 2));
  moved = borrow(std::span(values), 2);
  EXPECT_THROW((void)to_host(views.back()), LaunchError);
}

TEST(LaunchLifetime, ALaunchThatIsReplacedGoesAtOnce) {
  auto y = zeroed<int>(device, 2);
  const auto x = counting<int>(2);
  auto other = launch<add<int>>(mut(y).partition({2}), x, x);
  std::vector<int> values{5, 6};
  auto stored = launch<add<int>>(mut(y).partition({2}), x, borrow(std::span(values), 2));
  stored = std::move(other);
  // Nothing keeps the borrowing of before.
  EXPECT_EQ(borrow(std::span(values), 2).size(), 2);
  EXPECT_THROW(std::move(other).sync(), LaunchError);
  std::move(stored).sync();
  EXPECT_THAT(to_host(y), ElementsAre(0, 2));
}

TEST(LaunchLifetime, ALaunchTakesBorrowedViewsAndListsOver) {
  std::vector<int> values{1, 2};
  auto y = zeroed<int>(device, 2);
  auto stored = launch<add<int>>(mut(y).partition({2}), counting<int>(2),
                                 borrow(std::span<const int>(values), 2));
  std::move(stored).sync();
  EXPECT_THAT(to_host(y), ElementsAre(1, 3));

  std::vector<Tensor<int, 1>> tensors;
  tensors.push_back(borrow(std::span(values), 2));
  auto listed = launch<first_of_list>(mut(y).partition({2}), std::move(tensors));
  std::move(listed).sync();
  EXPECT_THAT(to_host(y), ElementsAre(1, 2));
  EXPECT_EQ(borrow(std::span(values), 2).size(), 2);
}

TEST(LaunchLifetime, AListAssignedToItselfStays) {
  std::vector<Tensor<int, 1>> tensors;
  tensors.push_back(counting<int>(2));
  auto list = partition(std::move(tensors), {1});
  auto& same = list;
  list = std::move(same);
  EXPECT_EQ(std::move(list).join().size(), 1u);
}

TEST(LaunchLifetime, APartThatReplacesItsViewKeepsTheBorrowing) {
  const std::vector<int> values{1, 2, 3, 4};
  auto view = borrow(std::span(values), 4);
  view = view.slice(0, 1, 2);
  const auto& same = view;
  view = same;
  EXPECT_THAT(to_host(view), ElementsAre(2, 3));
}

}  // namespace
}  // namespace tw::tests
