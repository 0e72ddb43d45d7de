// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tw::inline v0::runtime {

/// Memory of the CPU, aligned as storages are. Blocks that were given back are kept for the next of
/// their size class, since the pages of large blocks are dear to get anew; what is kept is bounded.
/// Null when there is too little memory.
[[nodiscard]] void* allocate_host_memory(std::size_t bytes) noexcept;

/// Takes a block back, with the size it was asked for with.
void release_host_memory(void* block, std::size_t bytes) noexcept;

}  // namespace tw::inline v0::runtime
