// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/driver/table.hpp>

#include "tests/support/fake_driver.hpp"

namespace tw::driver {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tests::FakeDevice;
using tests::FakeDriver;

template <class Action>
std::string message(const Action& action) {
  try {
    action();
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DriverTable, MissingLibrarySaysWhatToDo) {
  const std::string text = message([] { (void)load("libtilewright-has-no-such-driver.so.1"); });
  EXPECT_THAT(text, AllOf(HasSubstr("no NVIDIA driver was found"),
                          HasSubstr("libtilewright-has-no-such-driver.so.1"),
                          HasSubstr("install it"), HasSubstr("table_test.cpp:")));
}

TEST(DriverTable, LibraryThatIsNoDriverIsRefused) {
  EXPECT_THAT(message([] { (void)load("libc.so.6"); }),
              AllOf(HasSubstr("too old"), HasSubstr("it lacks cuInit, cuDriverGetVersion")));
}

TEST(DriverTable, OldDriverNamesWhatItLacks) {
  const FakeDriver fake({FakeDevice{}}, 11040);
  const auto old = FakeDriver::symbols({"cuLaunchKernelEx", "cuLibraryLoadData"});
  EXPECT_THAT(message([&] { const Table table(*old); }),
              AllOf(HasSubstr("the NVIDIA driver (CUDA 11.4) is too old: it lacks "
                              "cuLibraryLoadData, cuLaunchKernelEx; "
                              "install one for CUDA 12.0 or later")));
}

TEST(DriverTable, DriverThatCannotTellItsVersionIsTooOld) {
  const auto ancient = FakeDriver::symbols({"cuDriverGetVersion"});
  EXPECT_THAT(message([&] { const Table table(*ancient); }),
              HasSubstr("the NVIDIA driver is too old: it lacks cuDriverGetVersion;"));
}

TEST(DriverTable, FailureNamesTheCallTheResultAndTheCallersLine) {
  FakeDriver fake;
  fake.fail("cuDeviceGetCount", Result::out_of_memory);
  int count = 0;
  const unsigned line = __LINE__ + 1;
  const auto call = [&] { table().device_get_count(Location::current(), &count); };
  EXPECT_EQ(message(call), std::string(__FILE__) + ":" + std::to_string(line) +
                               ": cuDeviceGetCount failed: CUDA_ERROR_OUT_OF_MEMORY "
                               "(out of memory)");
  call();
  EXPECT_EQ(count, 1);
}

TEST(DriverTable, ResultThatTheDriverCannotNameIsGivenAsANumber) {
  FakeDriver fake;
  fake.fail("cuDeviceGetCount", static_cast<Result>(12345));
  int count = 0;
  EXPECT_THAT(message([&] { table().device_get_count({}, &count); }),
              HasSubstr("cuDeviceGetCount failed: CUDA error 12345"));
}

TEST(DriverTable, ResultWithoutAnExplanationKeepsItsName) {
  FakeDriver fake;
  fake.fail("cuDeviceGetCount", Result::unknown);
  fake.fail("cuGetErrorString", Result::invalid_value);
  int count = 0;
  EXPECT_EQ(message([&] { table().device_get_count({}, &count); }),
            "cuDeviceGetCount failed: CUDA_ERROR_UNKNOWN");
}

TEST(DriverTable, AttemptLeavesTheResultToTheCaller) {
  FakeDriver fake;
  DeviceNumber device = -1;
  EXPECT_EQ(fake.table().device_get.attempt(&device, 1), Result::invalid_device);
  EXPECT_EQ(fake.table().device_get.attempt(&device, 0), Result::success);
  EXPECT_EQ(device, 0);
}

TEST(DriverTable, VersionIsThatOfCuda) {
  const FakeDriver fake({FakeDevice{}}, 13000);
  EXPECT_EQ(fake.table().version(), 13000);
}

TEST(DriverTable, NoDeviceIsAnErrorOfInit) {
  const FakeDriver fake(std::vector<FakeDevice>{});
  EXPECT_THAT(message([&] { fake.table().init({}, 0); }),
              HasSubstr("cuInit failed: CUDA_ERROR_NO_DEVICE"));
}

TEST(DriverTable, ReplacementStandsInUntilItGoes) {
  const Table* first = nullptr;
  {
    const FakeDriver fake;
    first = &fake.table();
    EXPECT_EQ(&table(), first);
  }
  EXPECT_EQ(replace_table(nullptr), nullptr);
}

}  // namespace
}  // namespace tw::driver
