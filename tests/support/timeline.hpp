// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tw::tests {

/// Bytes that a piece of work reads or writes.
struct Access {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  bool writes = false;
};

[[nodiscard]] Access reads(const void* begin, std::size_t bytes);
[[nodiscard]] Access writes(const void* begin, std::size_t bytes);

/// A model of streams and events: a graph of what happens before what.
///
/// It is as lazy as the graph allows. Work runs only when the host waits for it, and then nothing
/// runs but what that wait depends on, so that whoever forgot to wait finds old bytes. Besides, it
/// reports each pair of pieces that touch the same bytes, one of them writing, in no order.
/// Any thread may call it; what one thread has waited for, all threads are taken to know.
class Timeline {
 public:
  using StreamNumber = std::size_t;
  /// How many pieces of each stream have happened; streams beyond the end: none.
  using Point = std::vector<std::size_t>;

  [[nodiscard]] StreamNumber add_stream();

  /// Queues work. It may not call the timeline, but to append, record and wait.
  void append(StreamNumber stream, std::string what, std::vector<Access> accesses,
              std::function<void()> run);
  /// The point when all that was queued on the stream has happened.
  [[nodiscard]] Point record(StreamNumber stream) const;
  /// Lets what is queued on the stream from now on happen after the point.
  void wait(StreamNumber stream, const Point& point);
  /// When all that was queued anywhere has happened.
  [[nodiscard]] Point everything() const;

  /// The host waits for the point: what it depends on runs.
  void finish(const Point& point);
  /// Runs one piece that the point depends on. True once none is left; then the host knows.
  bool advance(const Point& point);
  /// Whether all that the point depends on has run, known to the host or not.
  [[nodiscard]] bool is_past(const Point& point) const;

  /// The host itself touches bytes now.
  void touch(const std::string& what, const Access& access);

  /// What happened in no order, one text a pair.
  [[nodiscard]] std::vector<std::string> races() const;

 private:
  struct Piece {
    std::string what;
    std::vector<Access> accesses;
    std::function<void()> run;
    Point after;
  };
  struct Stream {
    std::deque<Piece> pieces;
    std::size_t done = 0;
    Point after;
  };

  [[nodiscard]] std::optional<StreamNumber> next_for(const Point& point) const;
  void report_races(const std::string& what, const Access& access, const Point& known);

  std::mutex execution_;  ///< held while a piece runs; locked before mutex_
  mutable std::mutex mutex_;
  std::vector<Stream> streams_;
  Point host_;
  std::vector<std::string> races_;
};

}  // namespace tw::tests
