// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace tw::inline v0::interp {

/// Memory for one worker during one run, taken over from the thread's last run if that was enough.
/// A run nested in another one's print sink gets its own.
class Arena {
 public:
  explicit Arena(std::size_t bytes) {
    if (Block* last = kept()) block_ = std::exchange(*last, {});
    if (block_.bytes < bytes) block_ = {Memory(allocate(bytes)), bytes};
  }
  ~Arena() {
    if (Block* last = kept(); last && last->bytes < block_.bytes) *last = std::move(block_);
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
  /// Null at the end of the thread, when destructors may still run kernels.
  static Block* kept() {
    static thread_local bool closed = false;
    struct Kept : Block {
      ~Kept() { closed = true; }
    };
    static thread_local Kept block;
    return closed ? nullptr : &block;
  }

  Block block_;
};

}  // namespace tw::inline v0::interp
