// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include <tilewright/core/location.hpp>
#include <tilewright/driver/owner.hpp>
#include <tilewright/runtime/device.hpp>

namespace tw::inline v0::runtime::cuda {

/// A piece of a GPU's memory.
struct Block {
  driver::DevicePointer address = 0;
  std::size_t bytes = 0;
};

/// The memory of one GPU. Blocks come back when the driver has passed all work on them, so that
/// they serve whoever asks next, on any stream, without a call of the driver. Thread-safe.
class DeviceMemory {
 public:
  DeviceMemory(const driver::PrimaryContext& context, Device device, Location where);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { trim(); }

  /// A block of at least `bytes` bytes. When there is none, waits for the work in flight on this
  /// GPU and what that sets free; throws DeviceError when that is not enough either.
  [[nodiscard]] Block take(std::size_t bytes, Location where);
  void give_back(Block block) noexcept;
  /// Gives what nobody uses to the driver.
  void trim() noexcept;

 private:
  [[nodiscard]] Block take_kept(std::size_t bytes) noexcept;
  [[nodiscard]] driver::Result allocate(std::size_t bytes, Block& block, Location where);
  void free(const Block& block) noexcept;

  const driver::PrimaryContext& context_;
  Device device_;
  std::size_t kept_at_most_ = 0;
  driver::MemoryPool pool_;
  driver::Stream stream_;  ///< carries allocations and frees only
  std::mutex mutex_;
  std::multimap<std::size_t, driver::DevicePointer> kept_;  ///< by size
  std::size_t kept_bytes_ = 0;
};

}  // namespace tw::inline v0::runtime::cuda
