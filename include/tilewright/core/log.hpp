// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include <tilewright/core/export.hpp>

namespace tw::inline v0 {

enum class LogLevel : std::uint8_t {
  info,     ///< what the library did
  warning,  ///< what it could not do as asked, such as a hint that does not apply
  error,    ///< a fault that nobody collected
};

/// Takes one message, without a final newline. It may be called from any thread, also from several
/// at once, and must neither throw nor call Tilewright.
using LogSink = std::function<void(LogLevel, std::string_view)>;

/// Sends the messages of the library to `sink` from now on and returns the sink they went to
/// before. At first, and with an empty sink, messages are dropped.
TILEWRIGHT_API LogSink set_log_sink(LogSink sink);

/// Gives a message to the log sink.
TILEWRIGHT_API void write_log(LogLevel level, std::string_view message) noexcept;

}  // namespace tw::inline v0
