// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/fake_gpu.hpp"

namespace tw::tests {
namespace {

/// Writes the kernels of all tests that ran on a fake GPU, compiled for a real one, to the file
/// that TILEWRIGHT_TEST_BUNDLE names: for a machine that has the GPU but no assembler.
class BundleWriter final : public testing::Environment {
 public:
  void TearDown() override {
    constexpr int sm_of_fake = 90;
    if (const char* file = std::getenv("TILEWRIGHT_TEST_BUNDLE")) {
      FakeGpu::write_bundle(file, sm_of_fake);
    }
  }
};

const auto* const environment = testing::AddGlobalTestEnvironment(new BundleWriter);

}  // namespace
}  // namespace tw::tests
