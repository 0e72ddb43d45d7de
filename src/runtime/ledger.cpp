// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <mutex>
#include <utility>

#include <tilewright/core/os.hpp>
#include <tilewright/runtime/ledger.hpp>

#include "runtime/queue.hpp"
#include "runtime/wait_list.hpp"

namespace tw::inline v0::runtime {
namespace {

/// One for all ledgers: a command records all its uses at once. It is held for some nanoseconds.
os::ProcessMutex& ledger_mutex() {
  static os::ProcessMutex& mutex = *new os::ProcessMutex;
  return mutex;
}

void wait_for(Mark mark) noexcept {
  if (const Queue* queue = Queue::find(mark.queue())) queue->wait(mark.ticket());
}

}  // namespace

WaitList record_uses(Mark mark, std::span<const Use> uses) {
  WaitList waits;
  const std::scoped_lock lock(ledger_mutex());
  for (const Use& use : uses) {
    use.storage->ledger().record(mark, use.access, waits);
    if (use.access == Access::write) use.storage->set_written();
  }
  return waits;
}

void Ledger::record(Mark mark, Access access, WaitList& waits) {
  const auto await = [&](Mark other) {
    if (other.queue() != mark.queue()) waits.add(other);
  };
  await(last_write());
  if (access == Access::read) {
    record_read(mark, waits);
    return;
  }
  for (std::atomic<Mark>& read : reads_) await(read.exchange({}, std::memory_order_acq_rel));
  last_write_.store(mark, std::memory_order_release);
}

// When as many other queues as there are slots read at the same time, the new reader follows one of
// them and takes its slot: whoever follows the new reader then follows both.
void Ledger::record_read(Mark mark, WaitList& waits) {
  std::atomic<Mark>* slot = nullptr;
  for (std::atomic<Mark>& each : reads_) {
    const Mark other = each.load(std::memory_order_relaxed);
    if (other.queue() == mark.queue()) {
      slot = &each;
      break;
    }
    if (slot == nullptr && other.reached()) slot = &each;
  }
  if (slot == nullptr) {
    slot = &reads_[mark.ticket() % reads_.size()];
    waits.add(slot->load(std::memory_order_relaxed));
  }
  slot->store(mark, std::memory_order_release);
}

bool Ledger::idle() const noexcept {
  return last_write().reached() && std::ranges::all_of(reads_, [](const std::atomic<Mark>& read) {
           return read.load(std::memory_order_acquire).reached();
         });
}

void Ledger::wait_until_idle() const noexcept {
  wait_for(last_write());
  for (const std::atomic<Mark>& read : reads_) wait_for(read.load(std::memory_order_acquire));
}

}  // namespace tw::inline v0::runtime
