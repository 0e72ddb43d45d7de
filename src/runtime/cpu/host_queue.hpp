// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <tilewright/core/fault_record.hpp>

#include "runtime/queue.hpp"

namespace tw::inline v0::runtime {

/// A queue of the CPU: one thread that runs the commands out of a ring. The thread is started by
/// the first command that its submitter does not run itself.
class HostQueue final : public Queue {
 public:
  using Queue::Queue;

  FaultRecord& fault_record(std::uint64_t ticket) noexcept override;

 private:
  struct Slot {
    std::uint64_t ticket = 0;
    WaitList awaited;
    Command command;
  };

  void push(std::uint64_t ticket, WaitList awaited, Command command) noexcept override;
  void forget_pushed() noexcept override;

  bool has_worker() noexcept;
  void work() noexcept;
  void run(std::uint64_t ticket, const WaitList& awaited, Command& command) noexcept;

  std::unique_ptr<std::array<Slot, max_in_flight>> ring_;
  std::atomic<std::uint64_t> pushed_ = 0;
  std::atomic<std::uint64_t> popped_ = 0;
  FaultRecord record_;  ///< of the one command that runs
};

}  // namespace tw::inline v0::runtime
