// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/core/log.hpp>

namespace tw::tests {

/// Collects what goes to the log while it lives.
class LogCapture {
 public:
  LogCapture()
      : before_(set_log_sink([this](LogLevel, std::string_view text) {
          const std::scoped_lock lock(mutex_);
          lines_.emplace_back(text);
        })) {}
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;
  ~LogCapture() { set_log_sink(before_); }

  [[nodiscard]] std::vector<std::string> lines() const {
    const std::scoped_lock lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  LogSink before_;
};

}  // namespace tw::tests
