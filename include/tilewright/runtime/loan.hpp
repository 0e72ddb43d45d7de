// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include <tilewright/runtime/device.hpp>

namespace tw::inline v0::detail {

/// Borrowed memory, and how long it lasts.
struct Loan {
  void* address = nullptr;
  std::size_t bytes = 0;
  Device device = Device::cpu();
  bool read_only = false;
  /// The memory may vanish when the last owner does. That then waits for work in flight, and other
  /// handles are of no use any more; owners of other storages never wait.
  bool scoped = false;
  /// Called when nothing uses the memory any more; may be empty.
  std::function<void()> give_back = {};
};

}  // namespace tw::inline v0::detail
