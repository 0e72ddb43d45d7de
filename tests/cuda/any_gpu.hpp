// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  /// What a real GPU does in no time takes long on a fake one.
  [[nodiscard]] bool is_real() const { return !fake_; }

 private:
  std::optional<FakeGpu> fake_;
};

}  // namespace tw::tests
