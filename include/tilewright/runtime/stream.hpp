// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/device.hpp>
#include <tilewright/runtime/event.hpp>

namespace tw::inline v0 {

namespace runtime {
class Queue;
}

/// Names a stream: a queue of work that runs in order, while streams run beside each other. Copies
/// name the same stream, which somebody else owns; it may be used from several threads.
///
/// Using a stream that was destroyed throws LaunchError.
class StreamRef {
 public:
  [[nodiscard]] TILEWRIGHT_API Device device(Location where = Location::current()) const;

  /// Blocks until all that was enqueued has run, then throws the first fault that nobody has
  /// collected yet.
  TILEWRIGHT_API void sync(Location where = Location::current()) const;
  /// Whether all that was enqueued has run; never blocks.
  [[nodiscard]] TILEWRIGHT_API bool idle(Location where = Location::current()) const;

  /// The point that is reached when all that was enqueued so far has run.
  [[nodiscard]] TILEWRIGHT_API Event record(Location where = Location::current()) const;
  /// Holds what is enqueued from now on until `event` is reached; the caller does not wait.
  TILEWRIGHT_API void wait(Event event, Location where = Location::current()) const;

  friend bool operator==(const StreamRef&, const StreamRef&) noexcept = default;

  /// For the runtime: the queue behind the name. Throws LaunchError when the stream is gone.
  [[nodiscard]] TILEWRIGHT_API runtime::Queue& queue(Location where) const;
  /// For the runtime: which of the streams that use the queue in turn this one is.
  [[nodiscard]] std::uint32_t life() const noexcept { return life_; }

 protected:
  StreamRef() noexcept = default;
  StreamRef(runtime::Queue* queue, std::uint32_t life) noexcept : queue_(queue), life_(life) {}

  runtime::Queue* queue_ = nullptr;
  std::uint32_t life_ = 0;
};

/// Owns a stream. Destroying it waits for its work; faults that nobody collected go to the log
/// sink.
class [[nodiscard]] Stream : public StreamRef {
 public:
  /// A new stream. Throws DeviceError when there are too many.
  TILEWRIGHT_API explicit Stream(Device device = default_device(),
                                 Location where = Location::current());
  TILEWRIGHT_API Stream(Stream&& other) noexcept;
  TILEWRIGHT_API Stream& operator=(Stream&& other) noexcept;
  TILEWRIGHT_API ~Stream();
};

/// The stream that the calling thread uses when none is named: that of the innermost CurrentStream
/// for the device, else the device's own, which all threads share.
[[nodiscard]] TILEWRIGHT_API StreamRef current_stream(Device device = default_device(),
                                                      Location where = Location::current());

/// Makes a stream the calling thread's current one on its device, until the end of the scope.
class [[nodiscard]] CurrentStream {
 public:
  TILEWRIGHT_API explicit CurrentStream(StreamRef stream, Location where = Location::current());
  explicit CurrentStream(Stream&& stream) = delete;  // it must outlive the scope
  CurrentStream(const CurrentStream&) = delete;
  CurrentStream& operator=(const CurrentStream&) = delete;

 private:
  std::shared_ptr<const StreamRef> stream_;  ///< that the thread knows of for as long as it lasts
};

}  // namespace tw::inline v0
