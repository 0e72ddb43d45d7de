// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/fault_record.hpp>
#include <tilewright/core/location.hpp>

namespace tw::inline v0::runtime {

/// The fault records of one stream, in memory that host and device share: launch `serial` has
/// record `serial` modulo their number. At most as many launches as there are records may be
/// between `open` and `close`.
class TILEWRIGHT_API FaultRing {
 public:
  /// `records` is not empty and outlives the ring.
  explicit FaultRing(std::span<FaultRecord> records) noexcept : records_(records) {}

  /// The record of a launch, cleared; before the launch is enqueued.
  FaultRecord& open(std::uint32_t serial) noexcept;
  /// What the launch left there, if a check failed; after it has run.
  [[nodiscard]] std::optional<FaultRecord> close(std::uint32_t serial) const noexcept;

 private:
  std::span<FaultRecord> records_;
};

/// What a site of an executable checks.
struct SiteDescription {
  std::string text;            ///< such as "gemm, launched here, failed at gemm.cpp:12: load"
  bool compares_index = true;  ///< whether an index was compared with a bound
};

/// The error that a record stands for, at the line of the launch.
[[nodiscard]] TILEWRIGHT_API DeviceFault fault_of(const FaultRecord& record,
                                                  const SiteDescription& site, Location launched);

}  // namespace tw::inline v0::runtime
