// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>

#include <tilewright/core/fault_record.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/command.hpp>
#include <tilewright/runtime/device.hpp>
#include <tilewright/runtime/fault_list.hpp>
#include <tilewright/runtime/ledger.hpp>
#include <tilewright/runtime/mark.hpp>
#include <tilewright/runtime/submit.hpp>

#include "runtime/wait_list.hpp"

namespace tw::inline v0::runtime {

class QueueTable;

/// What a stream is made of: commands run in the order of their tickets, which count on for ever.
/// Queues are never destroyed, so that marks stay valid; streams use them in turn, each for one
/// "life" of the queue.
class Queue {
 public:
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// A queue that no stream uses. Throws DeviceError when there are too many.
  static Queue& acquire(Device device, Location where);
  /// The queue with this number, or null.
  static Queue* find(std::uint32_t number) noexcept;
  /// Ends the current life, waits for its work, and gives the queue back.
  void retire() noexcept;
  /// Lets another stream use the queue, whose work is done.
  void give_back() noexcept;

  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] std::uint32_t life() const noexcept {
    return life_.load(std::memory_order_acquire);
  }
  [[nodiscard]] Mark mark(std::uint64_t ticket) const noexcept { return {number_, ticket}; }
  /// The ticket of the last command.
  [[nodiscard]] std::uint64_t issued() const noexcept {
    return issued_.load(std::memory_order_acquire);
  }
  /// The ticket up to which all commands are known to have run.
  [[nodiscard]] std::uint64_t completed() const noexcept {
    return completed_.load(std::memory_order_acquire);
  }
  /// Whether the command with this ticket has run; asks the device if need be, and never blocks.
  [[nodiscard]] bool has_completed(std::uint64_t ticket) noexcept {
    return completed() >= ticket || poll(ticket);
  }

  /// Enqueues a command behind everything that `uses` and `awaited` demand. Throws LaunchError when
  /// the queue is no longer in this life or a use is refused.
  Mark submit(std::uint32_t life, std::span<const Use> uses, Mark awaited, Command command,
              RunOn run_on, Location where);
  /// Enqueues a command for whatever life the queue is in; it must not fail.
  void submit_always(Command command) noexcept;

  /// Begins a read by the calling thread as the command of a queue that nobody else uses, and waits
  /// for what it must follow; `leave_read` ends the read of this ticket. Throws as
  /// `record_host_read`.
  [[nodiscard]] std::uint64_t enter_read(Storage& storage, Location where);
  void leave_read(std::uint64_t ticket) noexcept { complete(ticket); }

  /// Blocks until the command with this ticket has run.
  void wait(std::uint64_t ticket) noexcept {
    if (completed() < ticket) await(ticket);
  }
  /// Whether the calling thread runs a command of this queue at the moment.
  [[nodiscard]] bool runs_here() const noexcept;

  [[nodiscard]] FaultList& faults() noexcept { return faults_; }
  /// The fault record of the command that runs, cleared.
  virtual FaultRecord& fault_record(std::uint64_t ticket) noexcept = 0;

 protected:
  Queue(Device device, std::uint32_t number) noexcept : device_(device), number_(number) {}
  virtual ~Queue() = default;

  /// Makes the queue ready for a stream. Throws DeviceError.
  virtual void open(Location where) { static_cast<void>(where); }
  /// Waits until one more command may be pushed; may let go of the lock meanwhile.
  virtual void make_room(std::unique_lock<std::mutex>& submission) noexcept {
    static_cast<void>(submission);
  }
  /// Has the command run after the earlier ones and after `awaited`, without delay for the caller
  /// unless too many are waiting.
  virtual void push(std::uint64_t ticket, WaitList awaited, Command command) noexcept = 0;
  /// Called when a command was pushed and no lock is held any more.
  virtual void tend(std::uint64_t ticket) noexcept { static_cast<void>(ticket); }
  /// Blocks until `ticket`, which is issued, is completed.
  virtual void await(std::uint64_t ticket) noexcept;
  /// Asks the device whether `ticket` is completed.
  virtual bool poll(std::uint64_t ticket) noexcept { return completed() >= ticket; }
  /// In a forked child: forgets the work that only the parent's threads do.
  virtual void forget_pushed() noexcept = 0;

  /// Runs a command on this thread, keeps its fault and counts it as completed.
  void execute(std::uint64_t ticket, Command& command) noexcept;
  /// The first of its steps: runs the command.
  void run(Execution& execution, Command& command) noexcept;
  /// The second, when all that the command began is over.
  void settle(std::uint64_t ticket, Command& command) noexcept;
  /// The last: counts all commands up to `ticket` as completed.
  void complete(std::uint64_t ticket) noexcept;
  /// Ends the current life: streams of before are refused from now on.
  void end_life() noexcept { life_.fetch_add(1, std::memory_order_acq_rel); }

 private:
  friend QueueTable;

  Mark issue(std::span<const Use> uses, Mark awaited, Command& command, RunOn run_on,
             std::unique_lock<std::mutex>& submission, Location where);
  void forget_parent() noexcept;
  static void forget_parent_in_all() noexcept;

  const Device device_;
  const std::uint32_t number_;
  std::atomic<std::uint32_t> life_ = 1;
  std::mutex submission_;
  std::atomic<std::uint64_t> issued_ = 0;
  std::atomic<std::uint64_t> completed_ = 0;
  FaultList faults_;
  Queue* next_free_ = nullptr;
};

}  // namespace tw::inline v0::runtime
