// SPDX-License-Identifier: Apache-2.0
#include "interp/slot_allocator.hpp"

#include <algorithm>
#include <bit>

namespace tw::inline v0::interp {
namespace {

constexpr std::size_t vector_bytes = 64;

constexpr std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::size_t alignment_of(std::size_t bytes) {
  return std::clamp<std::size_t>(std::bit_ceil(bytes), 8, vector_bytes);
}

}  // namespace

Slot SlotAllocator::allocate(std::size_t bytes) {
  const std::size_t alignment = alignment_of(bytes);
  std::size_t offset = 0;
  for (const auto& [begin, end] : taken_) {
    if (offset + bytes <= begin) break;
    offset = round_up(end, alignment);
  }
  taken_.emplace(offset, offset + std::max<std::size_t>(bytes, 1));
  peak_ = std::max(peak_, offset + bytes);
  return Slot{static_cast<std::ptrdiff_t>(offset)};
}

void SlotAllocator::release(Slot slot) { taken_.erase(static_cast<std::size_t>(slot.offset)); }

Slot SlotAllocator::allocate_permanent(std::size_t bytes) {
  permanent_ = round_up(permanent_ + bytes, alignment_of(bytes));
  return Slot{-static_cast<std::ptrdiff_t>(permanent_)};
}

}  // namespace tw::inline v0::interp
