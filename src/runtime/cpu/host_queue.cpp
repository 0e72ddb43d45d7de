// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/host_queue.hpp"

#include <exception>
#include <thread>
#include <utility>

#include <tilewright/core/os.hpp>

namespace tw::inline v0::runtime {

FaultRecord& HostQueue::fault_record(std::uint64_t ticket) noexcept {
  record_ = FaultRecord{.serial = static_cast<std::uint32_t>(ticket)};
  return record_;
}

// The submission lock is held, so that there is one pusher at a time.
void HostQueue::push(std::uint64_t ticket, WaitList awaited, Command command) noexcept {
  if (!has_worker()) {
    run(ticket, awaited, command);
    return;
  }
  const std::uint64_t position = pushed_.load(std::memory_order_relaxed);
  for (std::uint64_t popped = popped_.load(std::memory_order_acquire);
       position - popped == max_in_flight; popped = popped_.load(std::memory_order_acquire)) {
    popped_.wait(popped, std::memory_order_acquire);
  }
  Slot& slot = (*ring_)[position % max_in_flight];
  slot.ticket = ticket;
  slot.awaited = std::move(awaited);
  slot.command = std::move(command);
  pushed_.store(position + 1, std::memory_order_release);
  pushed_.notify_one();
}

// A machine that has no thread left runs the work on its callers.
bool HostQueue::has_worker() noexcept {
  if (ring_ != nullptr) return true;
  try {
    ring_ = std::make_unique<std::array<Slot, max_in_flight>>();
    std::thread([this] { work(); }).detach();
  } catch (const std::exception&) {
    ring_.reset();
  }
  return ring_ != nullptr;
}

void HostQueue::work() noexcept {
  os::name_this_thread("tw stream");
  for (std::uint64_t position = popped_.load(std::memory_order_acquire);; ++position) {
    while (pushed_.load(std::memory_order_acquire) == position) {
      pushed_.wait(position, std::memory_order_acquire);
    }
    Slot& slot = (*ring_)[position % max_in_flight];
    run(slot.ticket, std::exchange(slot.awaited, {}), slot.command);
    popped_.store(position + 1, std::memory_order_release);
    popped_.notify_one();
  }
}

// The command before may still run on its caller.
void HostQueue::run(std::uint64_t ticket, const WaitList& awaited, Command& command) noexcept {
  awaited.for_each([](Mark mark) { find(mark.queue())->wait(mark.ticket()); });
  wait(ticket - 1);
  execute(ticket, command);
}

// The ring and its commands stay behind with all they hold: their destructors may be the parent's.
void HostQueue::forget_pushed() noexcept {
  static_cast<void>(ring_.release());
  pushed_.store(0);
  popped_.store(0);
}

}  // namespace tw::inline v0::runtime
