// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <tilewright/core/log.hpp>

namespace tw::tests {

/// The messages of the library while it lives.
class CapturedLog {
 public:
  CapturedLog()
      : before_(set_log_sink([this](LogLevel, std::string_view message) {
          const std::scoped_lock lock(mutex_);
          messages_.emplace_back(message);
        })) {}
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;
  ~CapturedLog() { set_log_sink(before_); }

  [[nodiscard]] std::vector<std::string> messages() const {
    const std::scoped_lock lock(mutex_);
    return messages_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
  LogSink before_;
};

}  // namespace tw::tests
