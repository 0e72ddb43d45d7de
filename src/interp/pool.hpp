// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>

namespace tw::inline v0::interp {

struct Range {
  std::uint64_t first;
  std::uint64_t last;
};

/// Hands out the numbers below `count` in ascending chunks to the threads that share them.
class Chunks {
 public:
  Chunks(std::uint64_t count, unsigned threads)
      : count_(count), size_(std::max<std::uint64_t>(1, count / (threads * 8u))) {}

  /// The next chunk; empty when there is none left.
  Range next() noexcept {
    const std::uint64_t first = std::min(next_.fetch_add(size_, std::memory_order_relaxed), count_);
    return {first, std::min(first + size_, count_)};
  }
  /// Gives out no more chunks.
  void stop() noexcept { next_.store(count_, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> next_{0};
  std::uint64_t count_;
  std::uint64_t size_;
};

/// Calls `work` on this thread and on up to `threads - 1` threads that the process keeps for it,
/// with the numbers below `count` to share; returns when all have returned. The first exception
/// ends the sharing and is rethrown here.
void share(std::uint64_t count, unsigned threads, const std::function<void(Chunks&)>& work);

}  // namespace tw::inline v0::interp
