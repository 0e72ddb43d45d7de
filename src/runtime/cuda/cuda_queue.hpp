// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include <tilewright/core/fault_record.hpp>
#include <tilewright/driver/types.hpp>

#include "runtime/queue.hpp"

namespace tw::inline v0::runtime::cuda {

/// A queue of a GPU: a stream of the driver (CUstream). Whoever submits a command runs it, which
/// hands its work to the driver; the command is over when the driver has passed that work.
///
/// How far the driver is shows by milestones, events recorded behind some of the commands: a
/// command counts as over when the first milestone behind it is passed. Milestones are recorded
/// every few commands, and when somebody asks for a command that has none behind it. Nobody watches
/// them: who submits, waits, asks or allocates also ends what has been passed.
class CudaQueue final : public Queue {
 public:
  CudaQueue(Device device, std::uint32_t number) noexcept;

  FaultRecord& fault_record(std::uint64_t ticket) noexcept override;

  /// Ends the commands of all queues of a GPU that the driver has passed.
  static void retire_passed(Device device) noexcept;
  /// Waits for all commands of the queues of a GPU.
  static void await_all(Device device) noexcept;
  /// Waits for all commands of all queues, and gives everything back to the driver; their streams
  /// are of no use any more.
  static void release_all() noexcept;

 private:
  struct Line;

  void open(Location where) override;
  void make_room(std::unique_lock<std::mutex>& submission) noexcept override;
  void push(std::uint64_t ticket, WaitList awaited, Command command) noexcept override;
  void tend(std::uint64_t ticket) noexcept override;
  void await(std::uint64_t ticket) noexcept override;
  bool poll(std::uint64_t ticket) noexcept override;
  void forget_pushed() noexcept override;

  /// Calls `visit` for every queue of a GPU that is open.
  template <class Visit>
  static void for_each(const Visit& visit) noexcept;

  /// Has what this queue issues from now on follow `mark`.
  void follow(Mark mark) noexcept;
  /// Has what is issued to `stream` from now on follow a command of this queue. False when the
  /// driver refuses.
  bool precede(driver::StreamHandle stream, std::uint64_t ticket) noexcept;
  /// Ends the commands that the driver has passed.
  void retire_passed() noexcept;
  /// Blocks until the driver has passed a command, and returns the last that it then has passed.
  std::uint64_t pass(std::uint64_t ticket) noexcept;
  /// The same for all commands pushed. When the driver refuses, none will ever run: that becomes a
  /// fault of the stream.
  std::uint64_t synchronize() noexcept;
  /// Ends the commands up to `ticket`, which the driver has passed.
  void end(std::uint64_t ticket) noexcept;

  std::atomic<Line*> line_ = nullptr;  ///< null until a stream takes the queue
};

}  // namespace tw::inline v0::runtime::cuda
