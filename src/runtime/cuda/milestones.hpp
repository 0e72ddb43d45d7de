// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tilewright/driver/owner.hpp>
#include <tilewright/runtime/submit.hpp>

namespace tw::inline v0::runtime::cuda {

/// A point in a stream of the driver: passed when all commands up to `ticket` are.
struct Milestone {
  driver::Event event;
  std::uint64_t ticket = 0;
};

/// The milestones of a stream that nobody has found passed yet, the earliest first. There are never
/// more than commands in flight. Not thread-safe.
class Milestones {
 public:
  [[nodiscard]] const Milestone* first() const noexcept {
    return begin_ == end_ ? nullptr : &at(begin_);
  }
  /// The first that is not before `ticket`; null when there is none.
  [[nodiscard]] const Milestone* covering(std::uint64_t ticket) const noexcept;
  /// Records one behind `ticket`, the last that was handed to the stream. Null when the driver
  /// refuses.
  const Milestone* record(const driver::PrimaryContext& context, driver::StreamHandle stream,
                          std::uint64_t ticket) noexcept;
  /// Forgets those up to `ticket`.
  void drop(std::uint64_t ticket) noexcept {
    while (begin_ != end_ && at(begin_).ticket <= ticket) ++begin_;
  }

 private:
  [[nodiscard]] Milestone& at(std::size_t position) noexcept {
    return all_[position % all_.size()];
  }
  [[nodiscard]] const Milestone& at(std::size_t position) const noexcept {
    return all_[position % all_.size()];
  }

  std::array<Milestone, max_in_flight> all_;  ///< events are made when first needed, and used again
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace tw::inline v0::runtime::cuda
