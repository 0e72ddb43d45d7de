// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <utility>

#include <tilewright/core/export.hpp>
#include <tilewright/core/fault_record.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/command.hpp>
#include <tilewright/runtime/geometry.hpp>
#include <tilewright/runtime/storage.hpp>
#include <tilewright/runtime/stream.hpp>

namespace tw::inline v0::driver {
struct StreamObject;  ///< what the driver's handle of a stream points to
}

namespace tw::inline v0::runtime {

/// What a command sees of its own run.
class TILEWRIGHT_API Execution {
 public:
  Execution(Queue& queue, std::uint64_t ticket, driver::StreamObject* native = nullptr,
            std::exception_ptr refusal = nullptr) noexcept
      : queue_(queue), ticket_(ticket), native_(native), refusal_(std::move(refusal)) {}

  /// The driver's handle of a GPU's stream, whose context is current; null on the CPU. Throws the
  /// DeviceError for which that cannot be used.
  [[nodiscard]] driver::StreamObject* native() const;

  /// The number of this command among those of its stream: what device code writes into fault
  /// records.
  [[nodiscard]] std::uint32_t serial() const noexcept {
    return static_cast<std::uint32_t>(ticket_);
  }
  /// A fault record for this command alone, empty at first.
  [[nodiscard]] FaultRecord& fault_record() noexcept;

  /// Keeps `error` for whoever collects it: from this command, from its stream, or from one of the
  /// storages it wrote. An exception that leaves a command is kept likewise, but for no storage.
  void fail(std::exception_ptr error, std::span<const Lease> written);

 private:
  Queue& queue_;
  std::uint64_t ticket_;
  driver::StreamObject* native_;
  std::exception_ptr refusal_;
};

/// A storage that a command uses.
struct Use {
  Storage* storage;
  Access access;
  /// Of the storage's frozen parts, the latest that the submitter found a write to be clear of.
  const FrozenPart* clear_of = nullptr;
  /// What a write covers, to be held against parts that were frozen since; null: the whole storage.
  const detail::TensorGeometry* elements = nullptr;
};

/// Who runs a command.
enum class RunOn : std::uint8_t {
  worker,          ///< the stream's own thread
  caller_if_idle,  ///< the caller, before `submit` returns, when nothing has to be awaited
};
// On a GPU, every command is run by its submitter, which hands its work to the driver.

/// Enqueues a command on a stream: it runs after what was enqueued there before and after the work
/// of other streams that its uses conflict with. The command must hold leases on the storages it
/// uses. Writing marks a storage as written. Allocates nothing when the command is small; blocks
/// only while the stream has `max_in_flight` commands waiting. Throws LaunchError when the stream
/// is gone, a storage to write is read-only or was frozen, a storage was borrowed for a scope that
/// has ended, or the thread is recording a kernel; nothing is then recorded.
TILEWRIGHT_API Event submit(const StreamRef& stream, std::span<const Use> uses, Command command,
                            RunOn run_on, Location where);

/// How many commands one stream holds.
inline constexpr std::size_t max_in_flight = 256;

/// Blocks until the command that `submit` gave this event for has run, and throws its fault unless
/// somebody has collected that.
TILEWRIGHT_API void collect(Event submitted, Location where);

}  // namespace tw::inline v0::runtime
