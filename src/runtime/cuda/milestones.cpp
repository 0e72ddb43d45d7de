// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/milestones.hpp"

namespace tw::inline v0::runtime::cuda {

using driver::Result;

const Milestone* Milestones::covering(std::uint64_t ticket) const noexcept {
  for (std::size_t position = begin_; position != end_; ++position) {
    if (at(position).ticket >= ticket) return &at(position);
  }
  return nullptr;
}

const Milestone* Milestones::record(const driver::PrimaryContext& context,
                                    driver::StreamHandle stream, std::uint64_t ticket) noexcept {
  const driver::Table& table = context.table();
  Milestone& milestone = at(end_);
  if (milestone.event.get() == nullptr) {
    driver::EventHandle event = nullptr;
    if (table.event_create.attempt(&event, driver::untimed_event) != Result::success) {
      return nullptr;
    }
    milestone.event = driver::Event(context, event);
  }
  if (table.event_record.attempt(milestone.event.get(), stream) != Result::success) return nullptr;
  milestone.ticket = ticket;
  ++end_;
  return &milestone;
}

}  // namespace tw::inline v0::runtime::cuda
