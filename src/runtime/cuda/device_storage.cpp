// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/device_storage.hpp"

#include <cstdint>
#include <memory>

#include "runtime/cuda/gpu.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

class DeviceStorage final : public Storage {
 public:
  DeviceStorage(Gpu& gpu, const Block& block, std::size_t bytes, Device device) noexcept
      : Storage(reinterpret_cast<std::byte*>(block.address), bytes, device),
        gpu_(&gpu),
        block_(block),
        session_(session()) {}
  // What the parent of a forked child has of the driver stays as it is.
  ~DeviceStorage() {
    if (session_ == session() && !in_forked_child()) gpu_->memory().give_back(block_);
  }

 private:
  Gpu* gpu_;
  Block block_;
  std::uint64_t session_;
};

}  // namespace

Storage* make_storage(Device device, std::size_t bytes, Location where) {
  Gpu& gpu = gpu_of(device, where);
  const Block block = gpu.memory().take(bytes, where);
  try {
    return new DeviceStorage(gpu, block, bytes, device);
  } catch (...) {
    gpu.memory().give_back(block);
    throw;
  }
}

void destroy_storage(Storage* storage) noexcept { delete static_cast<DeviceStorage*>(storage); }

}  // namespace tw::inline v0::runtime::cuda
