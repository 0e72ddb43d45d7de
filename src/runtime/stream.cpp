// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/runtime/stream.hpp>

#include "core/per_thread.hpp"
#include "runtime/cuda/gpu.hpp"
#include "runtime/cuda/shared_stream.hpp"
#include "runtime/queue.hpp"
#include "runtime/recording.hpp"

namespace tw::inline v0 {
namespace {

/// The current streams of one thread, the innermost last. Scopes may end in any order and on any
/// thread, as those of coroutines do.
using CurrentStreams = std::vector<std::weak_ptr<const StreamRef>>;

/// The stream of the CPU that all threads share.
const StreamRef& shared_cpu_stream(Location where) {
  static const Stream& stream = *new Stream(Device::cpu(), where);
  return stream;
}
const os::MadeBeforeForks<[] { return shared_cpu_stream(Location()); }> made;

void wait_on_host(runtime::Queue& queue, std::uint64_t ticket, Location where) {
  runtime::refuse_while_recording(where);
  if (queue.runs_here() && ticket > queue.completed()) {
    throw LaunchError("a stream would wait for itself", where);
  }
  queue.wait(ticket);
}

}  // namespace

runtime::Queue& StreamRef::queue(Location where) const {
  if (queue_ == nullptr) throw LaunchError("the stream was moved away", where);
  if (queue_->life() != life_) {
    if (queue_->device() != Device::cpu()) runtime::cuda::refuse_in_forked_child(where);
    throw LaunchError("the stream was destroyed", where);
  }
  return *queue_;
}

Device StreamRef::device(Location where) const { return queue(where).device(); }

void StreamRef::sync(Location where) const {
  runtime::Queue& queue = this->queue(where);
  wait_on_host(queue, queue.issued(), where);
  if (auto error = queue.faults().collect_first()) std::rethrow_exception(error);
}

bool StreamRef::idle(Location where) const {
  runtime::Queue& queue = this->queue(where);
  return queue.has_completed(queue.issued());
}

Event StreamRef::record(Location where) const {
  const runtime::Queue& queue = this->queue(where);
  return Event(queue.mark(queue.issued()));
}

void StreamRef::wait(Event event, Location where) const {
  runtime::Queue& queue = this->queue(where);
  if (event.done() || event.mark().queue() == queue.mark(0).queue()) return;
  queue.submit(life_, {}, event.mark(), {}, runtime::RunOn::worker, where);
}

bool Event::done() const noexcept {
  runtime::Queue* queue = runtime::Queue::find(mark_.queue());
  return queue == nullptr || queue->has_completed(mark_.ticket());
}

void Event::wait(Location where) const {
  if (mark_.reached()) return;
  wait_on_host(*runtime::Queue::find(mark_.queue()), mark_.ticket(), where);
}

Stream::Stream(Device device, Location where) {
  queue_ = &runtime::Queue::acquire(device, where);
  life_ = queue_->life();
}

Stream::Stream(Stream&& other) noexcept
    : StreamRef(std::exchange(other.queue_, nullptr), other.life_) {}

Stream& Stream::operator=(Stream&& other) noexcept {
  Stream taken(std::move(other));
  std::swap(queue_, taken.queue_);
  std::swap(life_, taken.life_);
  return *this;
}

Stream::~Stream() {
  if (queue_ != nullptr) queue_->retire();
}

StreamRef current_stream(Device device, Location where) {
  if (const auto* streams = per_thread<CurrentStreams>()) {
    for (auto each = streams->rbegin(); each != streams->rend(); ++each) {
      const std::shared_ptr<const StreamRef> stream = each->lock();
      if (stream && stream->device(where) == device) return *stream;
    }
  }
  return device == Device::cpu() ? shared_cpu_stream(where)
                                 : runtime::cuda::shared_stream(device, where);
}

CurrentStream::CurrentStream(StreamRef stream, Location where)
    : stream_(std::make_shared<const StreamRef>(stream)) {
  static_cast<void>(stream.device(where));
  auto* streams = per_thread<CurrentStreams>();
  if (streams == nullptr) throw LaunchError("a thread that ends has no current stream", where);
  std::erase_if(*streams, [](const auto& each) { return each.expired(); });
  streams->push_back(stream_);
}

}  // namespace tw::inline v0
