// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tilewright/core/export.hpp>

namespace tw::inline v0::passes {

/// The values that an integer may take: those from `low` to `high` that are multiples of
/// 2^`zeros`. Values are read as signed, those of i1 as 0 and 1. Low above high: no value at all,
/// the code that computes it never runs.
///
/// Divisibility is by powers of two only, because it survives arithmetic that wraps.
struct Range {
  std::int64_t low;
  std::int64_t high;
  std::uint8_t zeros;

  bool operator==(const Range&) const = default;
  [[nodiscard]] constexpr bool empty() const noexcept { return low > high; }
  [[nodiscard]] constexpr bool exact() const noexcept { return low == high; }
  [[nodiscard]] constexpr bool is(std::int64_t value) const noexcept {
    return low == value && high == value;
  }
  [[nodiscard]] constexpr bool contains(std::int64_t value) const noexcept {
    return low <= value && value <= high;
  }
};

/// The smallest and the largest signed value of an integer of 2 to 64 bits; 0 and 1 for one bit.
constexpr std::int64_t lowest(std::uint8_t width) noexcept {
  return width == 1 ? 0 : -(std::int64_t{1} << (width - 2)) * 2;
}
constexpr std::int64_t highest(std::uint8_t width) noexcept {
  return width == 1 ? 1 : static_cast<std::int64_t>((std::uint64_t{1} << (width - 1)) - 1);
}

/// Everything an integer of `width` bits can be.
constexpr Range full_range(std::uint8_t width) noexcept {
  return {lowest(width), highest(width), 0};
}
/// One value.
TILEWRIGHT_API Range exact_range(std::int64_t value) noexcept;
/// The values of both.
TILEWRIGHT_API Range hull(const Range& a, const Range& b) noexcept;

/// One step of a straight-line program over ranges. `a`, `b`, `c` name earlier steps.
enum class RangeCode : std::uint8_t {
  between,      ///< from `low` to `high`, fixed
  argument,     ///< argument `low` of the entry
  block_count,  ///< of the launch along axis `low`
  block_id,     ///< from 0 to below a
  add,
  subtract,
  multiply,
  divide,     ///< `detail`: the rounding mode
  remainder,  ///< truncated
  minimum,
  maximum,
  absolute,
  negate,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  extend,  ///< from `detail` bits
  truncate,
  compare,   ///< `detail`: the comparison predicate
  choose,    ///< a ? b : c
  either,    ///< the values of a and b
  counting,  ///< from a to below b in steps of c
  clamp,     ///< a, known to lie from `low` to `high`
  aligned,   ///< a, known to be a multiple of 2^`detail`
  opaque,    ///< as a, but not a's value element by element
};

struct RangeNode {
  RangeCode code = RangeCode::between;
  std::uint8_t width = 32;  ///< of the result, in bits
  bool is_signed = true;    ///< how operands are read
  std::uint8_t detail = 0;
  std::uint32_t a = 0, b = 0, c = 0;
  std::int64_t low = 0, high = 0;

  bool operator==(const RangeNode&) const = default;
};

/// The number of earlier steps that a step reads.
TILEWRIGHT_API int operand_count(RangeCode code) noexcept;

/// The values a step may give when its operands lie in `a`, `b`, `c`. A result that may leave its
/// width is the full range: what wraps is not followed. Arguments and block counts are known by the
/// launch alone: here they are anything.
TILEWRIGHT_API Range step(const RangeNode& node, const Range& a, const Range& b,
                          const Range& c) noexcept;

}  // namespace tw::inline v0::passes
