// SPDX-License-Identifier: Apache-2.0
// Checks that fail while a kernel runs, and what is known of a kernel's checks.
#include <utility>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/report.hpp>

#include "tests/runtime/launch_kernels.hpp"

namespace tw::tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const Device device = Device::cpu();

/// Loads the tile that `which` names: whether it is inside only the tensor knows.
void pick(Out<int, dyn> z, In1<int> x, In1<int> which) {
  const int line = __LINE__ + 1;
  z.store(x.tiles(dim<0>(z))(which.at(block<0>(z))));
  static_cast<void>(line);
}
constexpr int pick_line = __LINE__ - 3;

TEST(LaunchFault, NamesTheKernelThePlaceTheIndexAndTheBlock) {
  Stream stream(device);
  const auto x = counting<int>(8);
  const auto which = from_host<int>(device, {1, 5, 0});
  auto z = filled(device, -1, 6);
  const unsigned launch_line = std::source_location::current().line() + 1;
  launch<pick>(mut(z).partition({2}), x, which).on(stream);
  EXPECT_THAT([&] { stream.sync(); },
              ThrowsMessage<DeviceFault>(
                  AllOf(HasSubstr("launch_fault_test.cpp:" + std::to_string(launch_line) + ": "),
                        HasSubstr("pick, launched here, failed at "),
                        HasSubstr("launch_fault_test.cpp:" + std::to_string(pick_line) +
                                  ": load of argument 2 along axis 0: index 5 is not below 4, in "
                                  "block (1, 0, 0)"))));
  // The other blocks went on, and the load that failed gave zeros.
  EXPECT_THAT(to_host(z), ElementsAre(2, 3, 0, 0, 0, 1));
}

TEST(LaunchFault, SyncOfTheLaunchThrowsItsFaultAtItsLine) {
  const auto x = counting<int>(8);
  auto z = empty<int>(device, 2);
  const unsigned line = std::source_location::current().line() + 2;
  try {
    launch<pick>(mut(z).partition({2}), x, from_host<int>(device, {9})).sync();
    FAIL();
  } catch (const DeviceFault& fault) {
    EXPECT_EQ(fault.where().line(), line);
  }
  current_stream(device).sync();
}

TEST(LaunchFault, ReadingTheOutputThrowsTheFaultOfItsWriter) {
  Stream stream(device);
  const auto x = counting<int>(8);
  auto z = empty<int>(device, 2);
  launch<pick>(mut(z).partition({2}), x, from_host<int>(device, {9})).on(stream);
  EXPECT_THROW(std::ignore = to_host(z), DeviceFault);
  stream.sync();
}

TEST(LaunchFault, IsThrownOnceByTheFirstWhoLooks) {
  Stream stream(device);
  Stream other(device);
  const auto x = counting<int>(8);
  auto z = empty<int>(device, 2);
  auto untouched = counting<int>(2);
  launch<pick>(mut(z).partition({2}), x, from_host<int>(device, {9})).on(stream);
  launch<increment>(mut(untouched).partition({2}), 1).on(other);
  // A launch that reads what the faulty one wrote goes on with the zeros.
  auto sum = launch<add<int>>(empty<int>(device, 2).partition({2}), z, untouched).on(other);
  other.sync();
  EXPECT_THAT(to_host(untouched), ElementsAre(1, 2));
  EXPECT_THAT(to_host(std::move(sum).join()), ElementsAre(1, 2));
  EXPECT_THAT([&] { std::ignore = to_host(z); },
              ThrowsMessage<DeviceFault>(HasSubstr("index 9 is not below 4")));
  EXPECT_THAT(to_host(z), ElementsAre(0, 0));
  stream.sync();
}

TEST(LaunchFault, TheStreamGoesOn) {
  Stream stream(device);
  const auto x = counting<int>(8);
  auto z = empty<int>(device, 2);
  launch<pick>(mut(z).partition({2}), x, from_host<int>(device, {9})).on(stream);
  EXPECT_THROW(stream.sync(), DeviceFault);
  launch<pick>(mut(z).partition({2}), x, from_host<int>(device, {3})).on(stream);
  stream.sync();
  EXPECT_THAT(to_host(z), ElementsAre(6, 7));
}

void assert_positive(Out<int, dyn> z, In1<int> x) {
  auto value = x.load_like(z);
  check(value > 0, "values are positive");
  z.store(value);
}

TEST(LaunchFault, AFailedAssertionSaysItsText) {
  const auto x = from_host<int>(device, {1, 2, 0, 4});
  EXPECT_THAT(
      [&] {
        std::ignore = launch<assert_positive>(empty<int>(device, 4).partition({2}), x).sync();
      },
      ThrowsMessage<DeviceFault>(
          AllOf(HasSubstr("values are positive"), HasSubstr("in block (1, 0, 0)"))));
}

/// Loads a tile that is inside if the tensor has at least `at` + 1 tiles.
void fixed_tile(Out<int, dyn> z, In1<int> x, Int at) { z.store(x.tiles(dim<0>(z))(at)); }

TEST(LaunchFault, ChecksThatTheLaunchProvesAreNotLeftToTheDevice) {
  Stream stream(device);
  const auto x = counting<int>(8);
  auto z = empty<int>(device, 2);
  launch<fixed_tile>(mut(z).partition({2}), x, 3).deny_device_checks().on(stream);
  EXPECT_THAT(to_host(z), ElementsAre(6, 7));
  EXPECT_THAT(
      [&] { launch<fixed_tile>(mut(z).partition({2}), x, 4).deny_device_checks().on(stream); },
      ThrowsMessage<LaunchError>(
          AllOf(HasSubstr("1 checks are left on the device"), HasSubstr("launch_fault_test"))));
  launch<fixed_tile>(mut(z).partition({2}), x, 4).on(stream);
  EXPECT_THROW(stream.sync(), DeviceFault);
}

TEST(LaunchFault, ChecksOfDataCannotBeDenied) {
  const auto x = counting<int>(8);
  auto z = empty<int>(device, 2);
  Stream stream(device);
  EXPECT_THROW(launch<pick>(mut(z).partition({2}), x, from_host<int>(device, {0}))
                   .deny_device_checks()
                   .on(stream),
               LaunchError);
}

TEST(LaunchFault, AllChecksMayBeForcedOntoTheDevice) {
  const CheckMode before = check_mode();
  set_check_mode(CheckMode::all_on_device);
  const auto x = counting<int>(8);
  auto z = empty<int>(device, 2);
  Stream stream(device);
  EXPECT_THROW(launch<fixed_tile>(mut(z).partition({2}), x, 3).deny_device_checks().on(stream),
               LaunchError);
  launch<fixed_tile>(mut(z).partition({2}), x, 3).on(stream);
  set_check_mode(before);
  EXPECT_THAT(to_host(z), ElementsAre(6, 7));
}

/// The index is the same in every iteration, if there is one.
void far_in_a_loop(Out<int, 1> y, In1<int> x, In1<int> steps, Int far) {
  Var sum = zeros<int>(1);
  for (Int i : range(steps.extent(0))) {
    Int at = where(i > 3, far + 1, far + 1);
    sum = sum + x.at(at);
  }
  y.store(sum);
}

TEST(LaunchFault, ALoopThatDoesNotRunLoadsNothing) {
  const auto x = counting<int>(3);
  const auto nothing = empty<int>(device, 0);
  const auto y = launch<far_in_a_loop>(empty<int>(device, 1).partition({1}), x, nothing, 1 << 30)
                     .sync()
                     .join();
  EXPECT_THAT(to_host(y), ElementsAre(0));
}

void always_outside(Out<int, dyn> z, In1<int> x) { z.store(x.tiles(dim<0>(z))(-1)); }

TEST(LaunchFault, ACheckThatAlwaysFailsIsAnErrorOfTheKernel) {
  const auto x = counting<int>(8);
  EXPECT_THROW(std::ignore = launch<always_outside>(empty<int>(device, 2).partition({2}), x).sync(),
               KernelError);
}

void counted_checks(Out<int, dyn> z, In1<int> x, In1<int> which, Int at) {
  z.store(x.tiles(4)(at) + x.tiles(4)(which.at(0)) + x.load_like(z));
}

TEST(KernelReport, CountsChecksByWhoSeesToThem) {
  EXPECT_THAT(kernel_report<counted_checks>().specialisations, testing::IsEmpty());
  const auto x = counting<int>(8);
  const auto which = from_host<int>(device, {1});
  std::ignore = launch<counted_checks>(empty<int>(device, 8).partition({4}), x, which, 1).sync();
  const KernelReport report = kernel_report<counted_checks>();
  EXPECT_THAT(report.name, HasSubstr("counted_checks"));
  ASSERT_EQ(report.specialisations.size(), 1u);
  const SpecialisationReport& only = report.specialisations.front();
  EXPECT_EQ(only.checks.on_device, 1u);
  EXPECT_GE(only.checks.at_launch, 1u);
  EXPECT_GT(only.code_bytes, 0u);
  EXPECT_EQ(only.facts.parameters.size(), 4u);
}

}  // namespace
}  // namespace tw::tests
