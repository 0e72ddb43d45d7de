// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include <fmt/format.h>

#include <tilewright/runtime/fault_ring.hpp>

namespace tw::inline v0::runtime {

FaultRecord& FaultRing::open(std::uint32_t serial) noexcept {
  FaultRecord& record = records_[serial % records_.size()];
  record = FaultRecord{.serial = serial};
  return record;
}

std::optional<FaultRecord> FaultRing::close(std::uint32_t serial) const noexcept {
  FaultRecord& record = records_[serial % records_.size()];
  const std::atomic_ref state(record.state);
  if (state.load(std::memory_order_acquire) != FaultRecord::written) return std::nullopt;
  return record;
}

DeviceFault fault_of(const FaultRecord& record, const SiteDescription& site, Location launched) {
  std::string message = site.text;
  if (site.compares_index) {
    message += fmt::format(": index {} is not below {}", record.index, record.bound);
  }
  message +=
      fmt::format(", in block ({}, {}, {})", record.block[0], record.block[1], record.block[2]);
  if (record.count > 1) message += fmt::format("; {} accesses failed in all", record.count);
  return DeviceFault(std::move(message), launched);
}

}  // namespace tw::inline v0::runtime
