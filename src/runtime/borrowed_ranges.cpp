// SPDX-License-Identifier: Apache-2.0
#include "runtime/borrowed_ranges.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>

namespace tw::inline v0::runtime {
namespace {

struct Range {
  std::uintptr_t begin;
  std::uintptr_t end;
  bool read_only;
  Location borrowed_at;
};

/// All ranges in the order of their first bytes. Ranges to write overlap no other; ranges to read
/// may overlap each other. Never destroyed, since threads outlive static objects.
class Register {
 public:
  void enter(const Range& range) {
    const std::scoped_lock lock(mutex_);
    if (const Range* other = conflict(range)) refuse(range, *other);
    ranges_.emplace(range.begin, range);
    longest_ = std::max(longest_, range.end - range.begin);
  }

  void leave(std::uintptr_t begin, std::uintptr_t end) {
    const std::scoped_lock lock(mutex_);
    const auto [first, last] = ranges_.equal_range(begin);
    const auto found =
        std::find_if(first, last, [&](const auto& entry) { return entry.second.end == end; });
    if (found != last) ranges_.erase(found);
  }

 private:
  // Ranges that begin before `range` by more than the longest end before it.
  [[nodiscard]] const Range* conflict(const Range& range) const {
    const std::uintptr_t earliest = range.begin - std::min(range.begin, longest_);
    for (auto entry = ranges_.lower_bound(earliest);
         entry != ranges_.end() && entry->first < range.end; ++entry) {
      const Range& other = entry->second;
      if (other.end > range.begin && !(other.read_only && range.read_only)) return &other;
    }
    return nullptr;
  }

  [[noreturn]] static void refuse(const Range& range, const Range& other) {
    const std::uintptr_t common =
        std::min(range.end, other.end) - std::max(range.begin, other.begin);
    throw LaunchError(
        {{.message = fmt::format("{} bytes of this memory are borrowed already: memory that may be "
                                 "written has one borrower",
                                 common),
          .where = range.borrowed_at,
          .notes = {{"borrowed here", other.borrowed_at}}}});
  }

  os::ProcessMutex mutex_;
  std::multimap<std::uintptr_t, Range> ranges_;
  std::uintptr_t longest_ = 0;
};

Register& the_register() {
  static Register& instance = *new Register;
  return instance;
}
const os::MadeBeforeForks<the_register> made;

}  // namespace

void enter_borrowed_range(const void* address, std::size_t bytes, bool read_only, Location where) {
  if (bytes == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  the_register().enter({begin, begin + bytes, read_only, where});
}

void leave_borrowed_range(const void* address, std::size_t bytes) noexcept {
  if (bytes == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  the_register().leave(begin, begin + bytes);
}

}  // namespace tw::inline v0::runtime
