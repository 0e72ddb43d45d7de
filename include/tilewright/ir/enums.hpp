// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <tilewright/core/export.hpp>
#include <tilewright/core/rounding.hpp>

namespace tw::inline v0::ir {

// The numbering of every enumeration here is that of the Tile IR wire format.

using RoundingMode = Rounding;
enum class Signedness : std::uint8_t { unsigned_, signed_ };
enum class Overflow : std::uint8_t { none, no_signed_wrap, no_unsigned_wrap, no_wrap };
enum class ComparisonPredicate : std::uint8_t {
  equal,
  not_equal,
  less_than,
  less_than_or_equal,
  greater_than,
  greater_than_or_equal,
};
enum class ComparisonOrdering : std::uint8_t { unordered, ordered };
enum class AtomicMode : std::uint8_t { and_, or_, xor_, add, addf, max, min, umax, umin, xchg };
enum class MemoryOrdering : std::uint8_t { weak, relaxed, acquire, release, acq_rel };
enum class MemoryScope : std::uint8_t { tl_blk, device, sys };
enum class Visibility : std::uint8_t { public_, private_ };
enum class Padding : std::uint8_t { zero, neg_zero, nan, pos_inf, neg_inf };
/// The attribute that 13.4 added to pointers; `none` is its only value so far.
enum class PointerAttribute : std::uint8_t { none };

/// The text of every padding value, by its number.
TILEWRIGHT_API std::span<const std::string_view> padding_names();

}  // namespace tw::inline v0::ir
