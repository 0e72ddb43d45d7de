// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/backend/backend.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/driver/owner.hpp>
#include <tilewright/runtime/device.hpp>

#include "runtime/cuda/device_memory.hpp"
#include "runtime/cuda/download_lane.hpp"
#include "runtime/cuda/staging.hpp"

namespace tw::inline v0::runtime::cuda {

/// A GPU as this process uses it: its primary context and what lives there. Made at the first use
/// of the device, and never destroyed but by `release_gpus`.
class Gpu {
 public:
  Gpu(const driver::Table& table, Device device, Location where);

  [[nodiscard]] const driver::Table& table() const noexcept { return context_.table(); }
  [[nodiscard]] const driver::PrimaryContext& context() const noexcept { return context_; }
  [[nodiscard]] backend::Target target() const noexcept { return target_; }
  [[nodiscard]] int multiprocessors() const noexcept { return multiprocessors_; }
  [[nodiscard]] DeviceMemory& memory() noexcept { return memory_; }
  [[nodiscard]] Staging& staging() noexcept { return staging_; }
  [[nodiscard]] DownloadLanes& lanes() noexcept { return lanes_; }

  /// Calls the driver with the context current; what comes of it, also if that cannot be done.
  template <class Call>
  [[nodiscard]] driver::Result attempt(const Call& call) const noexcept {
    const driver::Result pushed = table().ctx_push_current.attempt(context_.get());
    if (pushed != driver::Result::success) return pushed;
    const driver::Result result = call();
    driver::ContextHandle popped = nullptr;
    static_cast<void>(table().ctx_pop_current.attempt(&popped));
    return result;
  }

 private:
  driver::PrimaryContext context_;
  backend::Target target_;
  int multiprocessors_ = 0;
  DeviceMemory memory_;
  Staging staging_;
  DownloadLanes lanes_;
};

/// The GPU behind a device. Throws DeviceError when there is no driver or no such device, and in a
/// forked child of a process that used GPUs.
[[nodiscard]] TILEWRIGHT_API Gpu& gpu_of(Device device, Location where);
/// How many GPUs the driver offers. Throws DeviceError when there is no driver that does.
[[nodiscard]] TILEWRIGHT_API int count_gpus(Location where);
/// Throws DeviceError in a forked child of a process that used GPUs.
void refuse_in_forked_child(Location where);
/// Whether this is such a child.
[[nodiscard]] bool in_forked_child() noexcept;

/// Counts how often `release_gpus` was called: things that the driver made before are gone.
[[nodiscard]] std::uint64_t session() noexcept;
/// Waits for all work, and gives everything back to the driver; streams and tensors on GPUs are of
/// no use any more. For tests that replace the driver, with no other thread in the library.
TILEWRIGHT_API void release_gpus() noexcept;

}  // namespace tw::inline v0::runtime::cuda
