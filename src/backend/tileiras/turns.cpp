// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/turns.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

#include <tilewright/core/os.hpp>

namespace tw::inline v0::backend::tileiras {
namespace {

std::int32_t processors() {
  return std::max(1, static_cast<std::int32_t>(std::thread::hardware_concurrency()));
}

/// How many turns are free.
std::atomic<std::int32_t>& free_turns() {
  static std::atomic<std::int32_t>& turns = *[] {
    // The threads that held turns are not in the child.
    os::in_forked_children([]() noexcept { free_turns() = processors(); });
    return new std::atomic<std::int32_t>(processors());
  }();
  return turns;
}
const os::MadeBeforeForks<free_turns> made;

}  // namespace

Turn::Turn() {
  std::int32_t free = free_turns();
  for (;;) {
    if (free == 0) {
      free_turns().wait(0);
      free = free_turns();
    } else if (free_turns().compare_exchange_weak(free, free - 1)) {
      return;
    }
  }
}

Turn::~Turn() {
  ++free_turns();
  free_turns().notify_one();
}

}  // namespace tw::inline v0::backend::tileiras
