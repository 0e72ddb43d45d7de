// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <tilewright/core/location.hpp>
#include <tilewright/driver/owner.hpp>

namespace tw::inline v0::runtime::cuda {

/// A stream of its own and two blocks of pinned memory, for copies to the host that wait for no
/// other work.
class DownloadLane {
 public:
  DownloadLane(const driver::PrimaryContext& context, Location where);

  /// Copies bytes of the device, and waits for them. Throws DeviceError. The context is current.
  void copy(driver::DevicePointer from, std::size_t bytes, std::byte* to, Location where);
  /// Waits for copies that an error left in flight.
  void settle() noexcept;

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;

  struct Block {
    driver::PinnedMemory memory;
    driver::Event copied;
  };

  const driver::Table* table_;
  driver::Stream stream_;
  std::array<Block, 2> blocks_;
};

/// The lanes of a GPU that nobody uses at the moment. Thread-safe.
class DownloadLanes {
 public:
  explicit DownloadLanes(const driver::PrimaryContext& context) noexcept : context_(context) {}
  DownloadLanes(const DownloadLanes&) = delete;
  DownloadLanes& operator=(const DownloadLanes&) = delete;

  /// As `copy` of a lane.
  void copy(driver::DevicePointer from, std::size_t bytes, std::byte* to, Location where);

 private:
  [[nodiscard]] std::unique_ptr<DownloadLane> take(Location where);

  const driver::PrimaryContext& context_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<DownloadLane>> kept_;
};

}  // namespace tw::inline v0::runtime::cuda
