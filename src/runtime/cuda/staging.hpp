// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include <tilewright/core/location.hpp>
#include <tilewright/driver/owner.hpp>

namespace tw::inline v0::runtime::cuda {

class StagingBlock;

/// Pinned memory of the host that copies to and from a GPU go through. Thread-safe.
class Staging {
 public:
  /// What one block holds.
  static constexpr std::size_t block_bytes = std::size_t{4} << 20;

  explicit Staging(const driver::PrimaryContext& context) noexcept : context_(context) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// A block of `bytes` bytes or more, at most `block_bytes`. Throws DeviceError.
  [[nodiscard]] StagingBlock take(std::size_t bytes, Location where);

 private:
  friend class StagingBlock;

  /// Most copies are small.
  static constexpr std::size_t small_bytes = std::size_t{16} << 10;
  static constexpr std::size_t kept_at_most = 16;

  struct Kept {
    std::size_t bytes;
    std::vector<driver::PinnedMemory> blocks = {};
  };

  void give_back(driver::PinnedMemory memory, bool is_small) noexcept;

  const driver::PrimaryContext& context_;
  std::mutex mutex_;
  Kept small_{small_bytes};
  Kept large_{block_bytes};
};

/// A block of pinned memory in use; part of the command that copies through it.
class StagingBlock {
 public:
  StagingBlock() = default;
  StagingBlock(StagingBlock&&) noexcept = default;
  StagingBlock& operator=(StagingBlock&&) = delete;
  ~StagingBlock() {
    if (memory_.get() != nullptr) from_->give_back(std::move(memory_), is_small_);
  }

  [[nodiscard]] std::byte* data() const noexcept { return static_cast<std::byte*>(memory_.get()); }

 private:
  friend class Staging;
  StagingBlock(Staging& from, driver::PinnedMemory memory, bool is_small)
      : from_(&from), memory_(std::move(memory)), is_small_(is_small) {}

  Staging* from_ = nullptr;
  driver::PinnedMemory memory_;
  bool is_small_ = false;
};

}  // namespace tw::inline v0::runtime::cuda
