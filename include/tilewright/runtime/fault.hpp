// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/runtime/mark.hpp>

namespace tw::inline v0::runtime {

/// What went wrong in a command, until somebody collects it; if nobody does, it goes to the log
/// sink.
class TILEWRIGHT_API Fault {
 public:
  Fault(std::exception_ptr error, Mark command) noexcept;
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  ~Fault();

  [[nodiscard]] Mark command() const noexcept { return command_; }
  [[nodiscard]] bool collected() const noexcept {
    return collected_.load(std::memory_order_acquire);
  }
  /// The error, for the first who asks; then null.
  [[nodiscard]] std::exception_ptr collect() noexcept;

 private:
  std::exception_ptr error_;
  Mark command_;
  std::atomic<bool> collected_ = false;
};

/// The latest faults of a stream, or of the writers of a storage; from any thread.
class TILEWRIGHT_API FaultList {
 public:
  /// The oldest of more faults than this are let go.
  static constexpr std::size_t capacity = 64;

  void add(std::shared_ptr<Fault> fault);
  /// The oldest error that nobody has collected, or null.
  [[nodiscard]] std::exception_ptr collect_first();
  /// The error of one command, unless somebody has collected it.
  [[nodiscard]] std::exception_ptr collect(Mark command);
  void clear();

 private:
  std::vector<std::shared_ptr<Fault>> faults_;
};

}  // namespace tw::inline v0::runtime
