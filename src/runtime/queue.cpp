// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue.hpp"

#include <array>
#include <new>
#include <utility>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>

#include "runtime/cpu/host_queue.hpp"
#include "runtime/cuda/cuda_queue.hpp"
#include "runtime/fault.hpp"
#include "runtime/ledger_lock.hpp"
#include "runtime/recording.hpp"

namespace tw::inline v0::runtime {
namespace {

constinit std::array<std::atomic<Queue*>, Mark::max_queues> queues{};
class Running;
thread_local const Running* running_here = nullptr;

/// What the calling thread runs: a command may run others on the way.
class Running {
 public:
  explicit Running(const Queue& queue) noexcept : queue_(queue) { running_here = this; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { running_here = outer_; }

  [[nodiscard]] const Queue* queue() const noexcept { return &queue_; }
  [[nodiscard]] const Running* outer() const noexcept { return outer_; }

 private:
  const Queue& queue_;
  const Running* outer_ = running_here;
};

/// What a step of a command throws is kept as the command's fault.
template <class Step>
void attempt(Execution& execution, const Step& step) noexcept {
  try {
    step();
  } catch (...) {
    execution.fail(std::current_exception(), {});
  }
}

}  // namespace

/// Hands out queues. Never destroyed, since threads outlive static objects.
class QueueTable {
 public:
  QueueTable() { os::in_forked_children(&Queue::forget_parent_in_all); }

  Queue& acquire(Device device, Location where) {
    const std::scoped_lock lock(mutex_);
    for (Queue** link = &free_; *link != nullptr; link = &(*link)->next_free_) {
      if ((*link)->device() == device) return *std::exchange(*link, (*link)->next_free_);
    }
    if (count_ + 1 == Mark::max_queues) {
      throw DeviceError("too many streams are alive at once: at most 4095 can be", where);
    }
    Queue* queue = nullptr;
    if (device.kind() == DeviceKind::cpu) {
      queue = new HostQueue(device, count_ + 1);
    } else {
      queue = new cuda::CudaQueue(device, count_ + 1);
    }
    queues[++count_].store(queue, std::memory_order_release);
    return *queue;
  }

  void give_back(Queue& queue) {
    const std::scoped_lock lock(mutex_);
    queue.next_free_ = free_;
    free_ = &queue;
  }

 private:
  os::ProcessMutex mutex_;
  std::uint32_t count_ = 0;
  Queue* free_ = nullptr;
};

namespace {
QueueTable& queue_table() {
  static QueueTable& table = *new QueueTable;
  return table;
}
const os::MadeBeforeForks<queue_table> made;
}  // namespace

Queue& Queue::acquire(Device device, Location where) {
  Queue& queue = queue_table().acquire(device, where);
  try {
    queue.open(where);
  } catch (...) {
    queue.give_back();
    throw;
  }
  return queue;
}

Queue* Queue::find(std::uint32_t number) noexcept {
  return queues[number].load(std::memory_order_acquire);
}

void Queue::retire() noexcept {
  {
    const std::scoped_lock lock(submission_);
    end_life();
  }
  wait(issued());
  faults_.clear();
  give_back();
}

void Queue::give_back() noexcept { queue_table().give_back(*this); }

Mark Queue::submit(std::uint32_t life, std::span<const Use> uses, Mark awaited, Command command,
                   RunOn run_on, Location where) {
  std::unique_lock submission(submission_);
  if (device_.kind() != DeviceKind::cpu) {
    make_room(submission);
    run_on = RunOn::worker;
  }
  if (life != life_.load(std::memory_order_relaxed)) {
    throw LaunchError("the stream was destroyed", where);
  }
  const Mark mark = issue(uses, awaited, command, run_on, submission, where);
  if (device_.kind() != DeviceKind::cpu) {
    submission.unlock();
    tend(mark.ticket());
  }
  return mark;
}

void Queue::submit_always(Command command) noexcept {
  std::unique_lock submission(submission_);
  issue({}, {}, command, RunOn::worker, submission, Location());
}

// A task that waited for a stream of before may still enqueue that it goes on.
std::uint64_t Queue::enter_read(Storage& storage, Location where) {
  std::unique_lock submission(submission_);
  const std::uint64_t ticket = issued() + 1;
  const WaitList waits = record_host_read(mark(ticket), storage, where);
  issued_.store(ticket, std::memory_order_release);
  submission.unlock();
  waits.for_each([](Mark mark) { find(mark.queue())->wait(mark.ticket()); });
  return ticket;
}

// The lock spans the recording and the push, so that tickets grow in the order of the recordings.
Mark Queue::issue(std::span<const Use> uses, Mark awaited, Command& command, RunOn run_on,
                  std::unique_lock<std::mutex>& submission, Location where) {
  const std::uint64_t before = issued_.load(std::memory_order_relaxed);
  const std::uint64_t ticket = before + 1;
  WaitList waits = record_uses(mark(ticket), uses, where);
  if (awaited.queue() != number_) waits.add(awaited);
  issued_.store(ticket, std::memory_order_release);
  if (run_on == RunOn::caller_if_idle && completed() == before && waits.all_reached()) {
    submission.unlock();
    execute(ticket, command);
  } else {
    push(ticket, std::move(waits), std::move(command));
  }
  return mark(ticket);
}

void Queue::run(Execution& execution, Command& command) noexcept {
  const Running here(*this);
  attempt(execution, [&] { command.run(execution); });
}

void Queue::settle(std::uint64_t ticket, Command& command) noexcept {
  const Running here(*this);
  Execution execution(*this, ticket);
  attempt(execution, [&] { command.settle(execution); });
}

void Queue::execute(std::uint64_t ticket, Command& command) noexcept {
  {
    const Running here(*this);
    Execution execution(*this, ticket);
    attempt(execution, [&] {
      command.run(execution);
      command.settle(execution);
    });
    command.clear();
  }
  complete(ticket);
}

// In the child of a fork during a command, all tickets are completed already.
void Queue::complete(std::uint64_t ticket) noexcept {
  if (ticket <= completed_.load(std::memory_order_relaxed)) return;
  completed_.store(ticket, std::memory_order_release);
  completed_.notify_all();
}

void Queue::await(std::uint64_t ticket) noexcept {
  for (std::uint64_t seen = completed(); seen < ticket; seen = completed()) {
    completed_.wait(seen, std::memory_order_acquire);
  }
}

bool Queue::runs_here() const noexcept {
  for (const Running* each = running_here; each != nullptr; each = each->outer()) {
    if (each->queue() == this) return true;
  }
  return false;
}

void Queue::forget_parent_in_all() noexcept {
  for (const auto& queue : queues) {
    if (Queue* each = queue.load(std::memory_order_acquire)) each->forget_parent();
  }
}

// Another thread of the parent may have held the lock: what it guards is set anew.
void Queue::forget_parent() noexcept {
  ::new (static_cast<void*>(&submission_)) std::mutex;
  forget_pushed();
  completed_.store(issued());
}

bool Mark::reached() const noexcept {
  const Queue* queue = Queue::find(this->queue());
  return queue == nullptr || queue->completed() >= ticket();
}

driver::StreamObject* Execution::native() const {
  if (refusal_) std::rethrow_exception(refusal_);
  return native_;
}

FaultRecord& Execution::fault_record() noexcept { return queue_.fault_record(ticket_); }

void Execution::fail(std::exception_ptr error, std::span<const Lease> written) {
  const auto fault = std::make_shared<Fault>(std::move(error), queue_.mark(ticket_));
  for (const Lease& storage : written) storage->faults().add(*fault);
  queue_.faults().add(*fault);
}

Event submit(const StreamRef& stream, std::span<const Use> uses, Command command, RunOn run_on,
             Location where) {
  refuse_while_recording(where);
  Queue& queue = stream.queue(where);
  return Event(queue.submit(stream.life(), uses, {}, std::move(command), run_on, where));
}

void collect(Event submitted, Location where) {
  submitted.wait(where);
  Queue* queue = Queue::find(submitted.mark().queue());
  if (queue == nullptr) return;
  if (auto error = queue->faults().collect(submitted.mark())) std::rethrow_exception(error);
}

}  // namespace tw::inline v0::runtime
