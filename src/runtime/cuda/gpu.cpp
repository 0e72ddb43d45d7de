// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/gpu.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>

#include "runtime/cuda/cuda_queue.hpp"
#include "runtime/cuda/executable.hpp"
#include "runtime/cuda/shared_stream.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

using driver::DeviceAttribute;

/// No machine has more.
constexpr int max_gpus = 64;

/// All GPUs in use. A forked child finds them as they were, and leaves them alone.
struct Gpus {
  std::mutex mutex;  ///< held while one is made
  std::array<std::atomic<Gpu*>, max_gpus> made{};
  std::atomic<bool> used = false;
  std::atomic<bool> inherited = false;
  std::atomic<std::uint64_t> session = 1;
};

Gpus& gpus() {
  static Gpus& all = *[] {
    os::in_forked_children([]() noexcept { gpus().inherited = gpus().used.load(); });
    return new Gpus;
  }();
  return all;
}
const os::MadeBeforeForks<gpus> made;

int attribute(const driver::Table& table, DeviceAttribute which, int device, Location where) {
  int value = 0;
  table.device_get_attribute(where, &value, which, device);
  return value;
}

int count(const driver::Table& table, Location where) {
  int number = 0;
  table.device_get_count(where, &number);
  return std::min(number, max_gpus);
}

}  // namespace

Gpu::Gpu(const driver::Table& table, Device device, Location where)
    : context_(table, device.index(), where),
      target_{
          10 * attribute(table, DeviceAttribute::compute_capability_major, device.index(), where) +
          attribute(table, DeviceAttribute::compute_capability_minor, device.index(), where)},
      multiprocessors_(attribute(table, DeviceAttribute::multiprocessors, device.index(), where)),
      memory_(context_, device, where),
      staging_(context_),
      lanes_(context_) {}

Gpu& gpu_of(Device device, Location where) {
  Gpus& all = gpus();
  refuse_in_forked_child(where);
  std::atomic<Gpu*>& slot = all.made.at(static_cast<std::size_t>(device.index()));
  if (Gpu* gpu = slot.load(std::memory_order_acquire)) return *gpu;
  all.used.store(true);
  const std::scoped_lock lock(all.mutex);
  if (Gpu* gpu = slot.load(std::memory_order_acquire)) return *gpu;
  Gpu* gpu = new Gpu(driver::table(where), device, where);
  slot.store(gpu, std::memory_order_release);
  return *gpu;
}

int count_gpus(Location where) {
  refuse_in_forked_child(where);
  gpus().used.store(true);
  return count(driver::table(where), where);
}

bool in_forked_child() noexcept { return gpus().inherited.load(std::memory_order_relaxed); }

void refuse_in_forked_child(Location where) {
  if (!in_forked_child()) return;
  throw DeviceError(
      "a forked child cannot use the GPUs of its parent: start a new process instead of forking",
      where);
}

std::uint64_t session() noexcept { return gpus().session.load(std::memory_order_acquire); }

void release_gpus() noexcept {
  release_shared_streams();
  CudaQueue::release_all();
  release_code();
  gpus().session.fetch_add(1);
  for (std::atomic<Gpu*>& slot : gpus().made) delete slot.exchange(nullptr);
}

}  // namespace tw::inline v0::runtime::cuda
