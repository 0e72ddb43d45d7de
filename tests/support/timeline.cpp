// SPDX-License-Identifier: Apache-2.0
#include "tests/support/timeline.hpp"

#include <algorithm>
#include <utility>

namespace tw::tests {
namespace {

std::size_t at(const Timeline::Point& point, std::size_t stream) {
  return stream < point.size() ? point[stream] : 0;
}

void join(Timeline::Point& point, const Timeline::Point& other) {
  if (point.size() < other.size()) point.resize(other.size());
  for (std::size_t stream = 0; stream < other.size(); ++stream) {
    point[stream] = std::max(point[stream], other[stream]);
  }
}

bool collide(const Access& a, const Access& b) {
  return (a.writes || b.writes) && a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
}

}  // namespace

Access reads(const void* begin, std::size_t bytes) {
  return {reinterpret_cast<std::uintptr_t>(begin), bytes, false};
}

Access writes(const void* begin, std::size_t bytes) {
  return {reinterpret_cast<std::uintptr_t>(begin), bytes, true};
}

Timeline::StreamNumber Timeline::add_stream() {
  const std::scoped_lock lock(mutex_);
  streams_.emplace_back();
  return streams_.size() - 1;
}

void Timeline::append(StreamNumber stream, std::string what, std::vector<Access> accesses,
                      std::function<void()> run) {
  const std::scoped_lock lock(mutex_);
  join(streams_[stream].after, host_);
  Point after = streams_[stream].after;
  for (const Access& access : accesses) report_races(what, access, after);
  std::deque<Piece>& pieces = streams_[stream].pieces;
  pieces.push_back({std::move(what), std::move(accesses), std::move(run), std::move(after)});
  Point own(stream + 1);
  own[stream] = pieces.size();
  join(streams_[stream].after, own);
}

Timeline::Point Timeline::record(StreamNumber stream) const {
  const std::scoped_lock lock(mutex_);
  return streams_[stream].after;
}

void Timeline::wait(StreamNumber stream, const Point& point) {
  const std::scoped_lock lock(mutex_);
  join(streams_[stream].after, point);
}

Timeline::Point Timeline::everything() const {
  const std::scoped_lock lock(mutex_);
  Point point;
  for (const Stream& stream : streams_) point.push_back(stream.pieces.size());
  return point;
}

void Timeline::finish(const Point& point) {
  while (!advance(point)) {
  }
}

bool Timeline::advance(const Point& point) {
  const std::scoped_lock running(execution_);
  std::function<void()> run;
  std::optional<StreamNumber> stream;
  {
    const std::scoped_lock lock(mutex_);
    stream = next_for(point);
    if (!stream) {
      join(host_, point);
      return true;
    }
    run = std::move(streams_[*stream].pieces[streams_[*stream].done].run);
  }
  run();
  const std::scoped_lock lock(mutex_);
  ++streams_[*stream].done;
  return false;
}

bool Timeline::is_past(const Point& point) const {
  const std::scoped_lock lock(mutex_);
  return !next_for(point);
}

void Timeline::touch(const std::string& what, const Access& access) {
  const std::scoped_lock lock(mutex_);
  report_races(what, access, host_);
}

std::vector<std::string> Timeline::races() const {
  const std::scoped_lock lock(mutex_);
  return races_;
}

/// The stream whose next piece the point depends on, and which may run now.
std::optional<Timeline::StreamNumber> Timeline::next_for(const Point& point) const {
  const Point* wanted = &point;
  std::optional<StreamNumber> found;
  for (StreamNumber stream = 0; stream < wanted->size();) {
    if (streams_[stream].done >= (*wanted)[stream]) {
      ++stream;
      continue;
    }
    // Its next piece has to run, and before that what the piece itself waits for.
    found = stream;
    wanted = &streams_[stream].pieces[streams_[stream].done].after;
    stream = 0;
  }
  return found;
}

/// Reports all earlier pieces that touch the same bytes and are not among those known to be over.
void Timeline::report_races(const std::string& what, const Access& access, const Point& known) {
  for (StreamNumber stream = 0; stream < streams_.size(); ++stream) {
    const std::deque<Piece>& pieces = streams_[stream].pieces;
    for (std::size_t i = at(known, stream); i < pieces.size(); ++i) {
      const auto hits = [&](const Access& earlier) { return collide(earlier, access); };
      if (std::ranges::any_of(pieces[i].accesses, hits)) {
        races_.push_back(what + " is not ordered after " + pieces[i].what);
      }
    }
  }
}

}  // namespace tw::tests
