// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

// Before the name `cpu` below, which its own enumerator would shadow.
#include <tilewright/runtime/device.hpp>

namespace tw::inline v0 {

/// How a launch is carried out. Hints never change results, except for the order of atomic updates;
/// one that cannot apply is reported to the log sink and else ignored.
struct Hints {
  /// Blocks that run the kernel, each in turn for several places when the outputs have more. Where
  /// outputs are dealt (`Outs`) and nothing else counts the blocks, the default is what the device
  /// holds at once.
  std::optional<std::int32_t> blocks = {};
  /// Rows of blocks that run together, column by column; 0 is row-major order.
  std::optional<std::int32_t> swizzle = {};
  /// Blocks that share one multiprocessor: 1 to 32.
  std::optional<std::int32_t> occupancy = {};
  /// Thread blocks that work on one block together: a power of two from 1 to 16.
  std::optional<std::int32_t> ctas = {};
  /// Warps of one thread block: 4 or 8.
  std::optional<std::int32_t> worker_warps = {};

  bool operator==(const Hints&) const = default;
};

/// An architecture that hints can be meant for.
struct Architecture {
  std::int32_t sm = 0;  ///< 90 for sm_90; 0 for the CPU
  friend constexpr bool operator==(Architecture, Architecture) = default;
};

inline constexpr Architecture cpu{0};
inline constexpr Architecture sm_80{80};
inline constexpr Architecture sm_86{86};
inline constexpr Architecture sm_87{87};
inline constexpr Architecture sm_88{88};
inline constexpr Architecture sm_89{89};
inline constexpr Architecture sm_90{90};
inline constexpr Architecture sm_100{100};
inline constexpr Architecture sm_103{103};
inline constexpr Architecture sm_110{110};
inline constexpr Architecture sm_120{120};
inline constexpr Architecture sm_121{121};

}  // namespace tw::inline v0
