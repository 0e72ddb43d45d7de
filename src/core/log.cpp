// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <mutex>
#include <utility>

#include <tilewright/core/log.hpp>
#include <tilewright/core/os.hpp>

namespace tw::inline v0 {
namespace {

/// Where messages go. Never destroyed, since threads outlive static objects.
struct Log {
  os::ProcessMutex mutex;
  std::shared_ptr<const LogSink> sink = std::make_shared<const LogSink>();
};

Log& the_log() {
  static Log& log = *new Log;
  return log;
}

const os::MadeBeforeForks<the_log> made;

}  // namespace

LogSink set_log_sink(LogSink sink) {
  auto next = std::make_shared<const LogSink>(std::move(sink));
  Log& log = the_log();
  {
    const std::scoped_lock lock(log.mutex);
    std::swap(log.sink, next);
  }
  return *next;
}

void write_log(LogLevel level, std::string_view message) noexcept {
  Log& log = the_log();
  std::shared_ptr<const LogSink> sink;
  {
    const std::scoped_lock lock(log.mutex);
    sink = log.sink;
  }
  if (*sink) (*sink)(level, message);
}

}  // namespace tw::inline v0
