// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/runtime/mark.hpp>

namespace tw::inline v0 {

/// A point in the work of a stream: it is reached when all that was enqueued before it has run.
/// Copies name the same point. A default event is reached.
///
/// `stream.record()` makes one, `stream.wait(event)` orders another stream behind it.
class Event {
 public:
  constexpr Event() noexcept = default;
  explicit constexpr Event(runtime::Mark mark) noexcept : mark_(mark) {}

  /// Whether the point is reached; never blocks.
  [[nodiscard]] TILEWRIGHT_API bool done() const noexcept;
  /// Blocks until the point is reached. Faults stay with their stream. Throws LaunchError when the
  /// stream itself would have to wait.
  TILEWRIGHT_API void wait(Location where = Location::current()) const;

  [[nodiscard]] constexpr runtime::Mark mark() const noexcept { return mark_; }

  friend constexpr bool operator==(Event, Event) noexcept = default;

 private:
  runtime::Mark mark_;
};

}  // namespace tw::inline v0
