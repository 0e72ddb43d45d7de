// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/download_lane.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tw::inline v0::runtime::cuda {

DownloadLane::DownloadLane(const driver::PrimaryContext& context, Location where)
    : table_(&context.table()), stream_(driver::make_stream(context, where)) {
  for (Block& block : blocks_) {
    block.memory = driver::allocate_pinned(context, block_bytes, where);
    block.copied = driver::make_event(context, driver::untimed_event, where);
  }
}

// The blocks take turns: one is filled while the other one is emptied.
void DownloadLane::copy(driver::DevicePointer from, std::size_t bytes, std::byte* to,
                        Location where) {
  const std::size_t count = (bytes + block_bytes - 1) / block_bytes;
  const auto size = [&](std::size_t i) { return std::min(bytes - i * block_bytes, block_bytes); };
  for (std::size_t i = 0; i < count + 1; ++i) {
    if (i < count) {
      Block& block = blocks_[i % 2];
      table_->memcpy_to_host_async(where, block.memory.get(), from + i * block_bytes, size(i),
                                   stream_.get());
      table_->event_record(where, block.copied.get(), stream_.get());
    }
    if (i == 0) continue;
    const Block& filled = blocks_[(i - 1) % 2];
    table_->event_synchronize(where, filled.copied.get());
    std::memcpy(to + (i - 1) * block_bytes, filled.memory.get(), size(i - 1));
  }
}

void DownloadLane::settle() noexcept {
  static_cast<void>(table_->stream_synchronize.attempt(stream_.get()));
}

std::unique_ptr<DownloadLane> DownloadLanes::take(Location where) {
  {
    const std::scoped_lock lock(mutex_);
    if (!kept_.empty()) {
      std::unique_ptr<DownloadLane> lane = std::move(kept_.back());
      kept_.pop_back();
      return lane;
    }
  }
  return std::make_unique<DownloadLane>(context_, where);
}

void DownloadLanes::copy(driver::DevicePointer from, std::size_t bytes, std::byte* to,
                         Location where) {
  std::unique_ptr<DownloadLane> lane = take(where);
  const driver::CurrentContext current(context_.table(), context_.get(), where);
  try {
    lane->copy(from, bytes, to, where);
  } catch (...) {
    lane->settle();
    throw;
  }
  const std::scoped_lock lock(mutex_);
  kept_.push_back(std::move(lane));
}

}  // namespace tw::inline v0::runtime::cuda
