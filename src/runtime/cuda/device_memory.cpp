// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/device_memory.hpp"

#include <exception>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>

#include "runtime/cuda/cuda_queue.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

using driver::Result;

constexpr std::size_t small_step = 512;
constexpr std::size_t large_step = std::size_t{2} << 20;
/// Beyond any device's memory; a larger size would overflow when it is rounded.
constexpr std::size_t address_space = std::size_t{1} << 48;

/// Sizes are rounded as the driver's own pool does, so that blocks fit again.
std::size_t rounded(std::size_t bytes) noexcept {
  const std::size_t step = bytes < large_step ? small_step : large_step;
  return (std::max<std::size_t>(bytes, 1) + step - 1) / step * step;
}

/// How much of a kept block may lie idle behind what was asked for.
std::size_t largest_fit(std::size_t bytes) noexcept { return bytes + bytes / 8; }

std::size_t total_memory(const driver::PrimaryContext& context, Location where) {
  std::size_t bytes = 0;
  context.table().device_total_mem(where, &bytes, context.device());
  return bytes;
}

}  // namespace

DeviceMemory::DeviceMemory(const driver::PrimaryContext& context, Device device, Location where)
    : context_(context),
      device_(device),
      kept_at_most_(total_memory(context, where) / 2),
      pool_(driver::make_memory_pool(context, 0, where)),
      stream_(driver::make_stream(context, where)) {}

Block DeviceMemory::take(std::size_t bytes, Location where) {
  Result result = Result::out_of_memory;
  if (bytes < address_space) {
    const std::size_t size = rounded(bytes);
    Block block = take_kept(size);
    if (block.address != 0) return block;
    CudaQueue::retire_passed(device_);
    if (block = take_kept(size); block.address != 0) return block;
    if (result = allocate(size, block, where); result == Result::success) return block;
    if (result == Result::out_of_memory) {
      CudaQueue::await_all(device_);
      if (block = take_kept(size); block.address != 0) return block;
      trim();
      if (result = allocate(size, block, where); result == Result::success) return block;
    }
  }
  try {
    context_.table().fail(context_.table().mem_alloc_from_pool_async.name(), result, where);
  } catch (const DeviceError& error) {
    throw DeviceError(fmt::format("{} has no {} bytes of memory left ({})", device_.name(), bytes,
                                  error.diagnostics().front().message),
                      where);
  }
}

Block DeviceMemory::take_kept(std::size_t bytes) noexcept {
  const std::scoped_lock lock(mutex_);
  const auto found = kept_.lower_bound(bytes);
  if (found == kept_.end() || found->first > largest_fit(bytes)) return {};
  const Block block{found->second, found->first};
  kept_.erase(found);
  kept_bytes_ -= block.bytes;
  return block;
}

// The block is ready for all streams once the allocation has happened in the order of its own.
Result DeviceMemory::allocate(std::size_t bytes, Block& block, Location where) {
  const driver::Table& table = context_.table();
  const driver::CurrentContext current(table, context_.get(), where);
  block = {0, bytes};
  Result result =
      table.mem_alloc_from_pool_async.attempt(&block.address, bytes, pool_.get(), stream_.get());
  if (result != Result::success) return result;
  const Result waited = table.stream_synchronize.attempt(stream_.get());
  if (waited == Result::success) return waited;
  free(block);
  table.fail(table.stream_synchronize.name(), waited, where);
}

void DeviceMemory::give_back(Block block) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    if (kept_bytes_ + block.bytes <= kept_at_most_) {
      kept_.emplace(block.bytes, block.address);
      kept_bytes_ += block.bytes;
      return;
    }
  } catch (const std::exception&) {  // no memory for the entry
  }
  free(block);
}

void DeviceMemory::free(const Block& block) noexcept {
  const driver::Table& table = context_.table();
  const driver::ReleaseScope current(table, context_.get());
  current.report(table.mem_free_async.name(),
                 table.mem_free_async.attempt(block.address, stream_.get()));
}

void DeviceMemory::trim() noexcept {
  std::multimap<std::size_t, driver::DevicePointer> kept;
  {
    const std::scoped_lock lock(mutex_);
    kept = std::exchange(kept_, {});
    kept_bytes_ = 0;
  }
  for (const auto& [bytes, address] : kept) free({address, bytes});
  const driver::Table& table = context_.table();
  const driver::ReleaseScope current(table, context_.get());
  current.report(table.stream_synchronize.name(), table.stream_synchronize.attempt(stream_.get()));
  current.report(table.mem_pool_trim_to.name(), table.mem_pool_trim_to.attempt(pool_.get(), 0));
}

}  // namespace tw::inline v0::runtime::cuda
