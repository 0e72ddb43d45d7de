// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <tilewright/core/export.hpp>
#include <tilewright/runtime/mark.hpp>

namespace tw::inline v0::runtime {

/// What work does with a storage.
enum class Access : std::uint8_t { read, write };

class WaitList;

/// Which queued work uses a storage: the last write, and the reads since then, one a queue.
///
/// Enqueuing a command records its uses and finds the work of other queues that it must follow:
/// reads follow the last write, writes follow the last write and all reads. Work of the same queue
/// is in order anyway and costs nothing.
///
/// All uses of one command are recorded under one lock, and the commands of a queue take their
/// tickets in the order of recording. So whatever a command awaits was recorded before it, and no
/// two commands await each other.
class Ledger {
 public:
  /// Adds what a command at `mark` that uses the storage must await to `waits`. Throws
  /// std::bad_alloc. The caller holds the lock.
  void find_waits(Mark mark, Access access, WaitList& waits) const;
  /// Notes that the command at `mark`, which awaits what `find_waits` found, uses the storage. The
  /// caller has held the lock since then.
  void record(Mark mark, Access access) noexcept;

  /// The last recorded write; from any thread.
  [[nodiscard]] Mark last_write() const noexcept {
    return last_write_.load(std::memory_order_acquire);
  }
  /// Whether no recorded use is in flight; from any thread.
  [[nodiscard]] TILEWRIGHT_API bool idle() const noexcept;
  /// Blocks until no recorded use is in flight.
  TILEWRIGHT_API void wait_until_idle() const noexcept;

 private:
  /// The place for a new read among those that count.
  [[nodiscard]] std::size_t slot_for(Mark mark) const noexcept;

  std::atomic<Mark> last_write_{};
  std::array<std::atomic<Mark>, 4> reads_{};
};

}  // namespace tw::inline v0::runtime
