// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "core/per_thread.hpp"

namespace tw::inline v0::interp {

/// Memory for one worker during one run, taken over from the thread's last run if that was enough.
/// A run nested in another one's print sink gets its own.
class Arena {
 public:
  explicit Arena(std::size_t bytes) {
    if (auto* last = per_thread<Block>()) block_ = std::exchange(*last, {});
    if (block_.bytes < bytes) block_ = {Memory(allocate(bytes)), bytes};
  }
  ~Arena() {
    auto* last = per_thread<Block>();
    if (last && last->bytes < block_.bytes) *last = std::move(block_);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Aligned for vectors.
  [[nodiscard]] std::byte* data() const noexcept { return block_.memory.get(); }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete[](memory, alignment); }
  };
  using Memory = std::unique_ptr<std::byte[], Free>;
  struct Block {
    Memory memory;
    std::size_t bytes = 0;
  };

  static std::byte* allocate(std::size_t bytes) { return new (alignment) std::byte[bytes]; }

  Block block_;
};

}  // namespace tw::inline v0::interp
