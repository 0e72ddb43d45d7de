// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/core/location.hpp>
#include <tilewright/runtime/storage.hpp>

namespace tw::inline v0::runtime {

class Queue;

/// A read of a storage by the calling thread, entered in the ledger like that of a command: it
/// comes after the writes that were enqueued before, and before those that are enqueued while it
/// lasts.
class HostRead {
 public:
  /// Blocks until the writes have run. Throws LaunchError when the calling thread is running one of
  /// them or the borrowing of the memory has ended, DeviceError when too many streams are alive.
  HostRead(const StorageRef& storage, Location where);
  HostRead(const HostRead&) = delete;
  HostRead& operator=(const HostRead&) = delete;
  ~HostRead();

 private:
  Lease storage_;
  Queue& queue_;
  std::uint64_t ticket_ = 0;
};

}  // namespace tw::inline v0::runtime
