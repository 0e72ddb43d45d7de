// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_queue.hpp"

#include <array>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include <tilewright/core/error.hpp>
#include <tilewright/driver/owner.hpp>
#include <tilewright/runtime/fault_ring.hpp>

#include "runtime/cuda/gpu.hpp"
#include "runtime/cuda/milestones.hpp"

namespace tw::inline v0::runtime::cuda {
namespace {

using driver::Result;

/// Milestones come behind every so many commands: one costs about as much as half a launch.
constexpr std::uint64_t milestone_distance = 16;
/// How many commands are ended at a time.
constexpr std::size_t ended_at_once = 16;

std::span<FaultRecord> records_in(const driver::PinnedMemory& memory) noexcept {
  return {static_cast<FaultRecord*>(memory.get()), max_in_flight};
}

}  // namespace

/// What the queue has of the driver, and its commands in flight: the one with ticket `t` at `t`
/// modulo the size of the ring.
struct CudaQueue::Line {
  Line(Gpu& of, std::uint64_t last, Location where)
      : gpu(of),
        stream(driver::make_stream(of.context(), where)),
        record_memory(
            driver::allocate_pinned(of.context(), max_in_flight * sizeof(FaultRecord), where)),
        records(records_in(record_memory)),
        pushed(last) {}

  [[nodiscard]] Command& command(std::uint64_t ticket) noexcept {
    return ring[ticket % ring.size()];
  }
  /// Blocks until the driver has the work of `ticket`, which another thread may be pushing.
  void await_pushed(std::uint64_t ticket) noexcept {
    for (std::uint64_t seen = pushed.load(std::memory_order_acquire); seen < ticket;
         seen = pushed.load(std::memory_order_acquire)) {
      pushed.wait(seen, std::memory_order_acquire);
    }
  }
  /// The first milestone that is not before `ticket`, recorded if there is none; null when the
  /// driver refuses. The caller holds `recording`.
  const Milestone* milestone(std::uint64_t ticket) noexcept {
    const Milestone* found = milestones.covering(ticket);
    if (found != nullptr) return found;
    static_cast<void>(gpu.attempt([&] {
      found = milestones.record(gpu.context(), stream.get(), pushed.load());
      return Result::success;
    }));
    return found;
  }

  Gpu& gpu;
  driver::Stream stream;
  driver::PinnedMemory record_memory;
  FaultRing records;
  std::array<Command, max_in_flight> ring;
  std::atomic<std::uint64_t> pushed;  ///< the last ticket whose work the driver has
  std::mutex recording;               ///< guards the milestones
  Milestones milestones;
  std::mutex ending;                 ///< held by the one thread that ends commands
  std::atomic<bool> broken = false;  ///< the driver has refused to wait
};

CudaQueue::CudaQueue(Device device, std::uint32_t number) noexcept : Queue(device, number) {}

void CudaQueue::open(Location where) {
  Gpu& gpu = gpu_of(device(), where);
  if (line_ == nullptr) line_ = new Line(gpu, issued(), where);
}

FaultRecord& CudaQueue::fault_record(std::uint64_t ticket) noexcept {
  return line_.load()->records.open(static_cast<std::uint32_t>(ticket));
}

// Not under the lock: commands that are over may call functions of the user when they go.
void CudaQueue::make_room(std::unique_lock<std::mutex>& submission) noexcept {
  while (issued() - completed() >= max_in_flight) {
    const std::uint64_t oldest = issued() - max_in_flight + 1;
    submission.unlock();
    wait(oldest);
    submission.lock();
  }
}

// The submission lock is held, so that there is one pusher at a time. Whatever the driver refuses,
// the command comes after what it has to await: others rely on that.
void CudaQueue::push(std::uint64_t ticket, WaitList awaited, Command command) noexcept {
  Line& line = *line_.load();
  std::optional<driver::CurrentContext> current;
  std::exception_ptr refusal;
  try {
    current.emplace(line.gpu.table(), line.gpu.context().get());
  } catch (const DeviceError&) {
    refusal = std::current_exception();
  }
  awaited.for_each([this](Mark mark) { follow(mark); });
  Execution execution(*this, ticket, line.stream.get(), refusal);
  run(execution, command);
  line.command(ticket) = std::move(command);
  line.pushed.store(ticket, std::memory_order_release);
  line.pushed.notify_all();
  if (ticket % milestone_distance != 0) return;
  const std::scoped_lock lock(line.recording);
  static_cast<void>(line.milestone(ticket));
}

void CudaQueue::follow(Mark mark) noexcept {
  Queue& queue = *find(mark.queue());
  if (queue.device().kind() == DeviceKind::gpu) {
    auto& other = static_cast<CudaQueue&>(queue);
    if (other.precede(line_.load()->stream.get(), mark.ticket())) return;
  }
  queue.wait(mark.ticket());
}

bool CudaQueue::precede(driver::StreamHandle stream, std::uint64_t ticket) noexcept {
  if (completed() >= ticket) return true;
  Line& line = *line_.load();
  line.await_pushed(ticket);
  const std::scoped_lock lock(line.recording);
  const Milestone* milestone = line.milestone(ticket);
  return milestone != nullptr && line.gpu.table().stream_wait_event.attempt(
                                     stream, milestone->event.get(), 0) == Result::success;
}

void CudaQueue::tend(std::uint64_t ticket) noexcept {
  if (ticket % milestone_distance == 0) retire_passed();
}

void CudaQueue::await(std::uint64_t ticket) noexcept {
  Line& line = *line_.load();
  line.await_pushed(ticket);
  while (completed() < ticket) end(pass(ticket));
}

std::uint64_t CudaQueue::pass(std::uint64_t ticket) noexcept {
  Line& line = *line_.load();
  driver::EventHandle event = nullptr;
  std::uint64_t passed = 0;
  {
    const std::scoped_lock lock(line.recording);
    if (const Milestone* milestone = line.milestone(ticket)) {
      event = milestone->event.get();
      passed = milestone->ticket;
    }
  }
  // Should others find it passed and record it anew, this waits too long, and no harm is done.
  const auto wait = [&] { return line.gpu.table().event_synchronize.attempt(event); };
  if (event == nullptr || line.gpu.attempt(wait) != Result::success) return synchronize();
  const std::scoped_lock lock(line.recording);
  line.milestones.drop(passed);
  return passed;
}

bool CudaQueue::poll(std::uint64_t ticket) noexcept {
  Line* line = line_.load();
  if (line == nullptr || line->pushed.load(std::memory_order_acquire) < ticket) return false;
  {
    const std::scoped_lock lock(line->recording);
    static_cast<void>(line->milestone(ticket));
  }
  retire_passed();
  return completed() >= ticket;
}

void CudaQueue::retire_passed() noexcept {
  Line& line = *line_.load();
  std::uint64_t passed = 0;
  Result state = Result::success;
  {
    const std::scoped_lock lock(line.recording);
    const Milestone* first = line.milestones.first();
    if (first == nullptr) return;
    static_cast<void>(line.gpu.attempt([&] {
      for (; first != nullptr; first = line.milestones.first()) {
        state = line.gpu.table().event_query.attempt(first->event.get());
        if (state != Result::success) break;
        passed = first->ticket;
        line.milestones.drop(passed);
      }
      return Result::success;
    }));
  }
  if (state != Result::success && state != Result::not_ready) passed = synchronize();
  end(passed);
}

std::uint64_t CudaQueue::synchronize() noexcept {
  Line& line = *line_.load();
  const std::uint64_t passed = line.pushed.load(std::memory_order_acquire);
  const driver::Table& table = line.gpu.table();
  const Result result =
      line.gpu.attempt([&] { return table.stream_synchronize.attempt(line.stream.get()); });
  if (result != Result::success && !line.broken.exchange(true)) {
    try {
      table.fail(table.stream_synchronize.name(), result, {});
    } catch (const DeviceError&) {
      Execution(*this, passed).fail(std::current_exception(), {});
    }
  }
  const std::scoped_lock lock(line.recording);
  line.milestones.drop(passed);
  return passed;
}

// Commands are destroyed while no lock is held, as that may call functions of the user.
void CudaQueue::end(std::uint64_t ticket) noexcept {
  Line& line = *line_.load();
  while (completed() < ticket) {
    std::array<Command, ended_at_once> over;  // goes after the lock
    const std::scoped_lock lock(line.ending);
    std::uint64_t last = completed();
    for (Command& command : over) {
      if (last >= ticket) break;
      ++last;
      settle(last, line.command(last));
      command = std::move(line.command(last));
    }
    complete(last);
  }
}

template <class Visit>
void CudaQueue::for_each(const Visit& visit) noexcept {
  for (std::uint32_t number = 1; number < Mark::max_queues; ++number) {
    Queue* queue = find(number);
    if (queue == nullptr) return;
    if (queue->device().kind() != DeviceKind::gpu) continue;
    auto& each = static_cast<CudaQueue&>(*queue);
    if (each.line_ != nullptr) visit(each);
  }
}

void CudaQueue::retire_passed(Device device) noexcept {
  for_each([&](CudaQueue& queue) {
    if (queue.device() == device) queue.retire_passed();
  });
}

void CudaQueue::await_all(Device device) noexcept {
  for_each([&](CudaQueue& queue) {
    if (queue.device() == device) queue.wait(queue.issued());
  });
}

void CudaQueue::release_all() noexcept {
  for_each([](CudaQueue& queue) {
    queue.end_life();
    queue.wait(queue.issued());
    delete queue.line_.exchange(nullptr);
  });
}

// What the parent has of the driver, and its commands, stay behind.
void CudaQueue::forget_pushed() noexcept {
  end_life();
  line_.store(nullptr);
}

}  // namespace tw::inline v0::runtime::cuda
