// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/staging.hpp"

#include <exception>
#include <utility>

namespace tw::inline v0::runtime::cuda {

StagingBlock Staging::take(std::size_t bytes, Location where) {
  const bool is_small = bytes <= small_bytes;
  Kept& kept = is_small ? small_ : large_;
  {
    const std::scoped_lock lock(mutex_);
    if (!kept.blocks.empty()) {
      StagingBlock block(*this, std::move(kept.blocks.back()), is_small);
      kept.blocks.pop_back();
      return block;
    }
  }
  return {*this, driver::allocate_pinned(context_, kept.bytes, where), is_small};
}

// What is not kept goes to the driver, outside of the lock.
void Staging::give_back(driver::PinnedMemory memory, bool is_small) noexcept {
  Kept& kept = is_small ? small_ : large_;
  try {
    const std::scoped_lock lock(mutex_);
    if (kept.blocks.size() < kept_at_most) kept.blocks.push_back(std::move(memory));
  } catch (const std::exception&) {  // no memory for the entry
  }
}

}  // namespace tw::inline v0::runtime::cuda
