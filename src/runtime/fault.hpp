// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <memory>

#include <tilewright/runtime/mark.hpp>

namespace tw::inline v0::runtime {

/// What went wrong in a command, until somebody collects it; if nobody does, it goes to the log
/// sink. Held by std::shared_ptr.
class Fault : public std::enable_shared_from_this<Fault> {
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

}  // namespace tw::inline v0::runtime
