// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include <tilewright/runtime/device.hpp>

#include "tests/support/fake_gpu.hpp"

namespace tw::tests {

/// The GPU of this machine, or a fake one where it has none. One whose driver does not work is a
/// failure.
class AnyGpu : public testing::Test {
 protected:
  AnyGpu() {
    if (gpu_count() == 0 && !std::filesystem::exists("/dev/nvidiactl")) fake_.emplace();
  }
  [[nodiscard]] Device device() const { return Device::gpu(0); }
  [[nodiscard]] bool is_real() const { return !fake_; }
  /// What a real GPU does in no time takes long on a fake one, which does it only to have the
  /// kernels for a bundle.
  [[nodiscard]] bool at_full_size() const {
    return is_real() || std::getenv("TILEWRIGHT_TEST_BUNDLE") != nullptr;
  }

 private:
  std::optional<FakeGpu> fake_;
};

}  // namespace tw::tests
