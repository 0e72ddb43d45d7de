// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <mutex>
#include <utility>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/runtime/ledger.hpp>

#include "runtime/frozen_part.hpp"
#include "runtime/ledger_lock.hpp"
#include "runtime/queue.hpp"

namespace tw::inline v0::runtime {
namespace {

void wait_for(Mark mark) noexcept {
  if (Queue* queue = Queue::find(mark.queue())) queue->wait(mark.ticket());
}

[[noreturn]] void refuse(const char* message, const Storage& borrowed, Location where) {
  throw LaunchError(
      {{.message = message, .where = where, .notes = {{"borrowed here", borrowed.borrowed_at()}}}});
}

/// Throws LaunchError when the use is not allowed, or no longer so.
void admit(const Use& use, Location where) {
  const Storage& storage = *use.storage;
  if (storage.ended()) {
    refuse("the borrowing of this memory has ended", storage, where);
  }
  if (use.access == Access::read) return;
  if (storage.read_only()) {
    refuse("the memory to write is read-only: it was borrowed as constant", storage, where);
  }
  const FrozenPart* latest = storage.frozen();
  if (latest == use.clear_of) return;
  if (use.elements == nullptr) refuse_write(*latest, where);
  if (const auto* part = frozen_part_of(*use.elements, latest, use.clear_of, storage)) {
    refuse_write(*part, where);
  }
}

/// Whether the calling thread runs a command that is to reach `mark`.
bool reached_by_caller(Mark mark) noexcept {
  const Queue* queue = Queue::find(mark.queue());
  return queue != nullptr && !mark.reached() && queue->runs_here();
}

}  // namespace

os::ProcessMutex& ledger_mutex() {
  static os::ProcessMutex& mutex = *new os::ProcessMutex;
  return mutex;
}
namespace {
const os::MadeBeforeForks<ledger_mutex> made;
}

WaitList record_uses(Mark mark, std::span<const Use> uses, Location where) {
  WaitList waits;
  const std::scoped_lock lock(ledger_mutex());
  // All that may fail comes first: a ledger must not name a command that is never issued.
  for (const Use& use : uses) admit(use, where);
  for (const Use& use : uses) use.storage->ledger().find_waits(mark, use.access, waits);
  for (const Use& use : uses) {
    use.storage->ledger().record(mark, use.access);
    if (use.access == Access::write) use.storage->set_written();
  }
  return waits;
}

WaitList record_host_read(Mark mark, Storage& storage, Location where) {
  WaitList waits;
  const std::scoped_lock lock(ledger_mutex());
  admit({&storage, Access::read}, where);
  if (reached_by_caller(storage.ledger().last_write())) {
    throw LaunchError("a stream would wait for itself", where);
  }
  storage.ledger().find_waits(mark, Access::read, waits);
  storage.ledger().record(mark, Access::read);
  return waits;
}

void Ledger::find_waits(Mark mark, Access access, WaitList& waits) const {
  const auto await = [&](Mark other) {
    if (other.queue() != mark.queue()) waits.add(other);
  };
  await(last_write());
  if (access == Access::read) {
    await(reads_[slot_for(mark)].load(std::memory_order_relaxed));
  } else {
    for (const std::atomic<Mark>& read : reads_) await(read.load(std::memory_order_acquire));
  }
}

void Ledger::record(Mark mark, Access access) noexcept {
  if (access == Access::read) {
    reads_[slot_for(mark)].store(mark, std::memory_order_release);
    return;
  }
  for (std::atomic<Mark>& read : reads_) read.store({}, std::memory_order_release);
  last_write_.store(mark, std::memory_order_release);
}

// When as many other queues as there are slots read at the same time, the new reader follows one of
// them and takes its slot: whoever follows the new reader then follows both. It must not be one
// that the calling thread runs, which may be about to wait.
std::size_t Ledger::slot_for(Mark mark) const noexcept {
  std::size_t reached = reads_.size();
  for (std::size_t slot = 0; slot < reads_.size(); ++slot) {
    const Mark other = reads_[slot].load(std::memory_order_relaxed);
    if (other.queue() == mark.queue()) return slot;
    if (reached == reads_.size() && other.reached()) reached = slot;
  }
  if (reached != reads_.size()) return reached;
  const std::size_t turn = mark.ticket() % reads_.size();
  if (!reached_by_caller(reads_[turn].load(std::memory_order_relaxed))) return turn;
  return (turn + 1) % reads_.size();
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
