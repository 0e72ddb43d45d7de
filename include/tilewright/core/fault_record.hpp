// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tw::inline v0 {

/// What a failed device check leaves behind, in memory that host and device share. The first fault of a
/// launch wins by compare-exchange on `state`; `count` counts them all.
struct alignas(64) FaultRecord {
  enum State : std::uint32_t { empty = 0, writing = 1, written = 2 };

  std::uint32_t state = empty;
  std::uint32_t serial = 0;  ///< number of the launch
  std::uint32_t site = 0;    ///< row of the executable's site table
  std::uint32_t kind = 0;    ///< reserved, 0
  std::int64_t index = 0;    ///< the offending index, in units of the check
  std::int64_t bound = 0;    ///< what it had to be below
  std::uint32_t block[3] = {0, 0, 0};
  std::uint32_t count = 0;
};
static_assert(sizeof(FaultRecord) == 64);

}  // namespace tw::inline v0
