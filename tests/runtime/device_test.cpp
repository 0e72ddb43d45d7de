// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/device.hpp>

#include "tests/runtime/thrown.hpp"

namespace {

using testing::HasSubstr;
using tw::Device;

TEST(Device, IsAValueWithAName) {
  EXPECT_EQ(Device::cpu(), Device::cpu());
  EXPECT_EQ(Device::cpu().kind(), tw::DeviceKind::cpu);
  EXPECT_EQ(Device::cpu().index(), 0);
  EXPECT_EQ(Device::cpu().name(), "cpu");
  EXPECT_EQ(tw::device_named("cpu"), Device::cpu());
}

TEST(Device, UnknownNamesAreRefused) {
  const auto error =
      tw::testing::thrown_by<tw::DeviceError>([] { (void)tw::device_named("tpu:1"); });
  EXPECT_THAT(error.what(), HasSubstr("there is no device 'tpu:1'"));
}

TEST(Device, TheCpuIsTheDefault) {
  EXPECT_EQ(tw::default_device(), Device::cpu());
  tw::set_default_device(Device::cpu());
  EXPECT_EQ(tw::default_device(), Device::cpu());
}

// In a process of its own, since the choice is made once.
TEST(DeviceDeathTest, TheEnvironmentNamesTheDefault) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto exit_code_with = [](const char* name) {
    setenv("TILEWRIGHT_DEVICE", name, 1);
    try {
      return tw::default_device() == Device::cpu() ? 0 : 1;
    } catch (const tw::DeviceError& error) {
      std::fputs(error.what(), stderr);
      return 2;
    }
  };
  EXPECT_EXIT(std::_Exit(exit_code_with("cpu")), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::_Exit(exit_code_with("")), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::_Exit(exit_code_with("npu")), testing::ExitedWithCode(2),
              "no device 'npu'.*environment variable TILEWRIGHT_DEVICE");
}

}  // namespace
