// SPDX-License-Identifier: Apache-2.0
#include "runtime/host_read.hpp"

#include "runtime/queue.hpp"
#include "runtime/recording.hpp"

namespace tw::inline v0::runtime {

// A queue of its own, as the thread waits for nothing but the writes; one of the CPU, whatever it
// reads.
HostRead::HostRead(const StorageRef& storage, Location where)
    : storage_(storage), queue_(Queue::acquire(Device::cpu(), where)) {
  try {
    refuse_while_recording(where);
    ticket_ = queue_.enter_read(*storage, where);
  } catch (...) {
    queue_.give_back();
    throw;
  }
}

HostRead::~HostRead() {
  queue_.leave_read(ticket_);
  queue_.give_back();
}

}  // namespace tw::inline v0::runtime
