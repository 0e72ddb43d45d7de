// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/host_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <new>

#include <tilewright/core/os.hpp>
#include <tilewright/runtime/storage.hpp>

namespace tw::inline v0::runtime {
namespace {

// The address sanitizer finds uses of freed memory only if nobody keeps it.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kept_bytes_at_most = 0;
#else
constexpr std::size_t kept_bytes_at_most = std::size_t{256} << 20;
#endif

constexpr std::align_val_t alignment{Storage::alignment};

/// Blocks come in four sizes an octave, so that less than a quarter of one is wasted.
struct SizeClass {
  static constexpr int steps_log2 = 2;
  static constexpr std::size_t steps = 1 << steps_log2;
  static constexpr std::size_t smallest = 256;
  static constexpr std::size_t count = 128;

  std::size_t index;
  std::size_t bytes;
};

SizeClass size_class(std::size_t bytes) noexcept {
  const std::size_t wanted = std::max(bytes, SizeClass::smallest);
  const std::size_t octave = std::bit_width(wanted - 1);
  const std::size_t octaves = octave - std::bit_width(SizeClass::smallest - 1);
  const std::size_t step_bytes = std::size_t{1} << (octave - 1) >> SizeClass::steps_log2;
  // An octave takes five to eight steps.
  const std::size_t steps = (wanted - 1) / step_bytes + 1;
  return {octaves * SizeClass::steps + steps - SizeClass::steps - 1, steps * step_bytes};
}

/// The blocks that wait for their next use. Never destroyed, since threads outlive static objects.
class KeptBlocks {
 public:
  void* take(const SizeClass& size) noexcept {
    const std::scoped_lock lock(mutex_);
    Block*& head = heads_[size.index];
    Block* block = head;
    if (block == nullptr) return nullptr;
    head = block->next;
    kept_bytes_ -= size.bytes;
    return block;
  }

  /// Whether there was room for it.
  bool keep(void* memory, const SizeClass& size) noexcept {
    const std::scoped_lock lock(mutex_);
    if (kept_bytes_ + size.bytes > kept_bytes_at_most) return false;
    Block*& head = heads_[size.index];
    head = ::new (memory) Block{head};
    kept_bytes_ += size.bytes;
    return true;
  }

 private:
  struct Block {
    Block* next;
  };

  os::ProcessMutex mutex_;
  std::array<Block*, SizeClass::count> heads_{};
  std::size_t kept_bytes_ = 0;
};

KeptBlocks& kept_blocks() {
  static KeptBlocks& blocks = *new KeptBlocks;
  return blocks;
}
const os::MadeBeforeForks<kept_blocks> made;

constexpr std::size_t largest_kept = kept_bytes_at_most / 2;

}  // namespace

void* allocate_host_memory(std::size_t bytes) noexcept {
  if (bytes > largest_kept) return ::operator new(bytes, alignment, std::nothrow);
  const SizeClass size = size_class(bytes);
  if (void* block = kept_blocks().take(size)) return block;
  return ::operator new(size.bytes, alignment, std::nothrow);
}

void release_host_memory(void* block, std::size_t bytes) noexcept {
  if (bytes <= largest_kept && kept_blocks().keep(block, size_class(bytes))) return;
  ::operator delete(block, alignment);
}

}  // namespace tw::inline v0::runtime
