// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <tilewright/runtime/device.hpp>

#include "runtime/cuda/executable.hpp"
#include "tests/support/fake_driver.hpp"

namespace tw::tests {

/// GPUs for whole programs, on the fake driver: what the runtime compiles for them is run by the
/// interpreter, with checks lowered as for real ones, and the driver knows which tensors a kernel
/// reads and writes. One at a time; what a test makes on the device must not outlive it.
class FakeGpu {
 public:
  explicit FakeGpu(std::vector<FakeDevice> devices = {FakeDevice{}});
  FakeGpu(const FakeGpu&) = delete;
  FakeGpu& operator=(const FakeGpu&) = delete;
  ~FakeGpu();

  [[nodiscard]] FakeDriver& driver() { return driver_; }
  [[nodiscard]] Device device(int index = 0) const { return Device::gpu(index); }

  /// Has the runtime give everything back; what is then left of the driver's things.
  [[nodiscard]] std::map<std::string, std::size_t> left_over();

  /// Compiles all kernels that were assembled so far, by the assembler of this machine and for
  /// GPUs of this architecture, and writes them to a bundle.
  static void write_bundle(const std::string& path, int sm);

 private:
  runtime::cuda::DeviceCode assemble(const ir::Kernel& kernel);

  FakeDriver driver_;
};

}  // namespace tw::tests
