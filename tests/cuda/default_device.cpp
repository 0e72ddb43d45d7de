// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <gtest/gtest.h>

#include <tilewright/runtime/device.hpp>

#include "tests/support/fake_gpu.hpp"

namespace tw::tests {
namespace {

/// Has tests that name no device run on a fake GPU, whose driver finds nothing wrong.
class OnFakeGpu final : public testing::Environment {
 public:
  void SetUp() override {
    gpu_ = std::make_unique<FakeGpu>();
    set_default_device(gpu_->device());
  }
  void TearDown() override {
    set_default_device(Device::cpu());
    EXPECT_EQ(gpu_->driver().violations().size(), 0u);
    EXPECT_EQ(gpu_->left_over().size(), 0u);
    gpu_.reset();
  }

 private:
  std::unique_ptr<FakeGpu> gpu_;
};

const auto* const environment = testing::AddGlobalTestEnvironment(new OnFakeGpu);

}  // namespace
}  // namespace tw::tests
