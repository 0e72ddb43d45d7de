// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>

#include <tilewright/ir/enums.hpp>
#include <tilewright/passes/range.hpp>

#include "passes/integer.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::ComparisonPredicate;
using ir::RoundingMode;

constexpr Range nothing{1, 0, 0};
constexpr Range either_way{0, 1, 0};

constexpr Range boolean(bool value) { return {value, value, 0}; }

/// The number of low zero bits that every value has; 64 for zero.
int zeros_of(const Range& range) {
  if (range.exact()) return std::countr_zero(static_cast<std::uint64_t>(range.low));
  return range.zeros;
}

/// `low` to `high` without the ends that are no multiples of 2^zeros, or, where an end does not
/// fit, anything that the width can hold and the divisibility allows.
Range fitted(std::int64_t low, std::int64_t high, int zeros, std::uint8_t width) {
  if (low == high) return exact_range(as_signed(static_cast<std::uint64_t>(low), width));
  Range range{low, high, static_cast<std::uint8_t>(std::clamp(zeros, 0, width - 1))};
  if (low < lowest(width) || high > highest(width)) {
    range.low = lowest(width);
    range.high = highest(width);
  }
  if (range.zeros == 0) return range;
  const std::int64_t unit = std::int64_t{1} << std::min<int>(range.zeros, 62);
  range.high = range.high & -unit;
  if (range.low > std::numeric_limits<std::int64_t>::max() - unit) return range;
  range.low = (range.low + unit - 1) & -unit;
  return range;
}

Range unknown(const RangeNode& node, int zeros = 0) {
  return fitted(lowest(node.width), highest(node.width), zeros, node.width);
}

using Corner = bool (*)(std::int64_t, std::int64_t, std::int64_t*);

/// The range spanned by `f` at the four ends, for an `f` that is monotone in each operand.
Range corners(const RangeNode& node, const Range& a, const Range& b, Corner f, int zeros) {
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t x : {a.low, a.high}) {
    for (const std::int64_t y : {b.low, b.high}) {
      std::int64_t value;
      if (f(x, y, &value)) return unknown(node, zeros);
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return fitted(low, high, zeros, node.width);
}

Range add(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  if (node.width == 1) return either_way;
  const int zeros = std::min(zeros_of(a), zeros_of(b));
  std::int64_t low;
  std::int64_t high;
  if (__builtin_add_overflow(a.low, b.low, &low) || __builtin_add_overflow(a.high, b.high, &high)) {
    return unknown(node, zeros);
  }
  return fitted(low, high, zeros, node.width);
}

Range subtract(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  if (node.width == 1) return either_way;
  const int zeros = std::min(zeros_of(a), zeros_of(b));
  std::int64_t low;
  std::int64_t high;
  if (__builtin_sub_overflow(a.low, b.high, &low) || __builtin_sub_overflow(a.high, b.low, &high)) {
    return unknown(node, zeros);
  }
  return fitted(low, high, zeros, node.width);
}

Range multiply(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  if (node.width == 1) return either_way;
  return corners(
      node, a, b,
      [](std::int64_t x, std::int64_t y, std::int64_t* out) {
        return __builtin_mul_overflow(x, y, out);
      },
      zeros_of(a) + zeros_of(b));
}

/// A quotient rounded as `mode` says; the divisor is not zero and the quotient fits.
std::int64_t quotient(std::int64_t x, std::int64_t y, RoundingMode mode) {
  const std::int64_t truncated = x / y;
  const bool inexact = x % y != 0;
  const bool negative = (x < 0) != (y < 0);
  if (mode == RoundingMode::negative_inf && inexact && negative) return truncated - 1;
  if (mode == RoundingMode::positive_inf && inexact && !negative) return truncated + 1;
  return truncated;
}

/// Both operands not negative, so that signed and unsigned readings agree.
bool natural(const Range& a, const Range& b) { return a.low >= 0 && b.low >= 0; }

Range divide(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  if (node.width == 1 || (!node.is_signed && !natural(a, b))) return unknown(node);
  // A quotient by zero is zero; by a divisor of unknown sign it is not followed.
  Range divisor = b;
  if (divisor.low == 0) divisor.low = 1;
  if (divisor.empty()) return exact_range(0);
  if (divisor.low < 0 && divisor.high >= 0) return unknown(node);
  if (a.low == lowest(node.width) && divisor.contains(-1)) return unknown(node);
  const auto mode = static_cast<RoundingMode>(node.detail);
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t x : {a.low, a.high}) {
    for (const std::int64_t y : {divisor.low, divisor.high}) {
      low = std::min(low, quotient(x, y, mode));
      high = std::max(high, quotient(x, y, mode));
    }
  }
  const Range range = fitted(low, high, 0, node.width);
  return b.low == 0 ? hull(range, exact_range(0)) : range;
}

Range remainder(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  if (node.width == 1) return either_way;
  if (!node.is_signed && !natural(a, b)) {
    return b.low > 0 ? Range{0, b.high - 1, 0} : unknown(node);
  }
  if (b.low <= lowest(node.width)) return unknown(node);
  if (a.exact() && b.exact() && b.low != 0) return exact_range(b.is(-1) ? 0 : a.low % b.low);
  const int zeros = std::min(zeros_of(a), zeros_of(b));
  const std::int64_t largest = std::max(b.high, -b.low) - 1;
  Range range = fitted(a.low >= 0 ? 0 : std::max(a.low, -std::max<std::int64_t>(largest, 0)),
                       a.high <= 0 ? 0 : std::min(a.high, std::max<std::int64_t>(largest, 0)),
                       zeros, node.width);
  // A dividend that is smaller than every divisor stays; so does one divided by zero.
  const bool stays = b.low > 0 && a.low >= 0 && a.high < b.low;
  if (stays) return a;
  return b.contains(0) ? hull(range, a) : range;
}

/// Whether signed comparison gives the order that the node asks for.
bool ordered_as_signed(const RangeNode& node, const Range& a, const Range& b) {
  return node.width != 1 && (node.is_signed || natural(a, b));
}

Range minimum(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  if (!ordered_as_signed(node, a, b)) return unknown(node);
  return fitted(std::min(a.low, b.low), std::min(a.high, b.high),
                std::min(zeros_of(a), zeros_of(b)), node.width);
}

Range maximum(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  if (!ordered_as_signed(node, a, b)) return unknown(node);
  return fitted(std::max(a.low, b.low), std::max(a.high, b.high),
                std::min(zeros_of(a), zeros_of(b)), node.width);
}

Range absolute(const RangeNode& node, const Range& a, const Range&, const Range&) {
  if (a.low >= 0) return a;
  if (node.width == 1 || a.low == lowest(node.width)) return unknown(node, zeros_of(a));
  const std::int64_t least = a.high < 0 ? -a.high : 0;
  return fitted(least, std::max(-a.low, a.high), zeros_of(a), node.width);
}

Range negate(const RangeNode& node, const Range& a, const Range&, const Range&) {
  if (node.width == 1 || a.low == lowest(node.width)) return unknown(node, zeros_of(a));
  return fitted(-a.high, -a.low, zeros_of(a), node.width);
}

Range shift_left(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  if (node.width == 1 || b.low < 0 || b.high >= node.width) return unknown(node);
  const int zeros = zeros_of(a) + static_cast<int>(b.low);
  if (b.high > 62) return unknown(node, zeros);
  return corners(
      node, a, b,
      [](std::int64_t x, std::int64_t y, std::int64_t* out) {
        return __builtin_mul_overflow(x, std::int64_t{1} << y, out);
      },
      zeros);
}

Range shift_right(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  if (node.width == 1 || b.low < 0 || b.high >= node.width) return unknown(node);
  if (!node.is_signed && a.low < 0) {
    if (b.low == 0) return unknown(node);
    return {0, static_cast<std::int64_t>((~std::uint64_t{0} >> (64 - node.width)) >> b.low), 0};
  }
  const int zeros = std::max(zeros_of(a) - static_cast<int>(b.high), 0);
  return corners(
      node, a, b,
      [](std::int64_t x, std::int64_t y, std::int64_t* out) {
        *out = x >> y;
        return false;
      },
      zeros);
}

/// All ones up to the highest bit that a value from 0 to `high` can have.
std::int64_t mask_of(std::int64_t high) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(high) + 1) - 1);
}

Range bit_and(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  const int zeros = std::max(zeros_of(a), zeros_of(b));
  if (a.exact() && b.exact()) return exact_range(a.low & b.low);
  if (natural(a, b)) return fitted(0, std::min(a.high, b.high), zeros, node.width);
  if (a.low >= 0) return fitted(0, a.high, zeros, node.width);
  if (b.low >= 0) return fitted(0, b.high, zeros, node.width);
  return unknown(node, zeros);
}

Range bit_or(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  const int zeros = std::min(zeros_of(a), zeros_of(b));
  if (a.exact() && b.exact()) return exact_range(a.low | b.low);
  if (natural(a, b)) {
    return fitted(std::max(a.low, b.low), mask_of(std::max(a.high, b.high)), zeros, node.width);
  }
  return unknown(node, zeros);
}

Range bit_xor(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  const int zeros = std::min(zeros_of(a), zeros_of(b));
  if (a.exact() && b.exact()) return exact_range(a.low ^ b.low);
  if (natural(a, b)) return fitted(0, mask_of(std::max(a.high, b.high)), zeros, node.width);
  return unknown(node, zeros);
}

Range extend(const RangeNode& node, const Range& a, const Range&, const Range&) {
  if (node.detail == 1) return node.is_signed ? Range{-a.high, -a.low, 0} : a;
  if (node.is_signed || a.low >= 0) return a;
  return fitted(0, static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - node.detail)), zeros_of(a),
                node.width);
}

Range truncate(const RangeNode& node, const Range& a, const Range&, const Range&) {
  if (node.width == 1 && !a.exact()) return either_way;
  return fitted(a.low, a.high, zeros_of(a), node.width);
}

/// Whether a < b for all values, for none, or neither.
std::optional<bool> less(const Range& a, const Range& b) {
  if (a.high < b.low) return true;
  if (a.low >= b.high) return false;
  return std::nullopt;
}

std::optional<bool> equal(const Range& a, const Range& b) {
  if (a.exact() && b.exact() && a.low == b.low) return true;
  if (a.high < b.low || b.high < a.low) return false;
  return std::nullopt;
}

std::optional<bool> negated(std::optional<bool> value) {
  if (value) value = !*value;
  return value;
}

std::optional<bool> compared(const RangeNode& node, const Range& a, const Range& b) {
  const auto predicate = static_cast<ComparisonPredicate>(node.detail);
  if (predicate == ComparisonPredicate::equal) return equal(a, b);
  if (predicate == ComparisonPredicate::not_equal) return negated(equal(a, b));
  if (!node.is_signed && !natural(a, b)) {
    // Read as unsigned, what is negative lies above all that is not.
    const bool a_above = a.high < 0 && b.low >= 0;
    const bool b_above = b.high < 0 && a.low >= 0;
    if (!a_above && !b_above) return std::nullopt;
    const bool asks_less = predicate == ComparisonPredicate::less_than ||
                           predicate == ComparisonPredicate::less_than_or_equal;
    return asks_less == b_above;
  }
  switch (predicate) {
    case ComparisonPredicate::less_than:
      return less(a, b);
    case ComparisonPredicate::less_than_or_equal:
      return negated(less(b, a));
    case ComparisonPredicate::greater_than:
      return less(b, a);
    default:
      return negated(less(a, b));
  }
}

Range compare(const RangeNode& node, const Range& a, const Range& b, const Range&) {
  const auto verdict = compared(node, a, b);
  return verdict ? boolean(*verdict) : either_way;
}

Range choose(const RangeNode&, const Range& a, const Range& b, const Range& c) {
  if (a.empty()) return nothing;
  if (a.is(1)) return b;
  if (a.is(0)) return c;
  return hull(b, c);
}

Range either(const RangeNode&, const Range& a, const Range& b, const Range&) { return hull(a, b); }

Range counting(const RangeNode& node, const Range& from, const Range& to, const Range& by) {
  if (!node.is_signed && !(natural(from, to) && by.low > 0)) return unknown(node);
  if (from.low >= to.high) return nothing;
  if (by.low < 1) return {lowest(node.width), std::max(from.high, to.high - 1), 0};
  std::int64_t last = to.high - 1;
  if (from.exact() && by.exact() && from.low >= 0) last -= (last - from.low) % by.low;
  return fitted(from.low, last, std::min(zeros_of(from), zeros_of(by)), node.width);
}

Range block_id(const RangeNode& node, const Range& count, const Range&, const Range&) {
  if (count.high < 1) return nothing;
  return fitted(0, count.high - 1, 0, node.width);
}

Range clamp(const RangeNode& node, const Range& a, const Range&, const Range&) {
  const std::int64_t low = std::max(a.low, node.low);
  const std::int64_t high = std::min(a.high, node.high);
  // A broken promise is not ours to follow.
  return low > high ? a : fitted(low, high, zeros_of(a), node.width);
}

Range aligned(const RangeNode& node, const Range& a, const Range&, const Range&) {
  if (a.exact()) return a;
  const Range range = fitted(a.low, a.high, std::max<int>(zeros_of(a), node.detail), node.width);
  return range.empty() ? a : range;
}

Range same(const RangeNode&, const Range& a, const Range&, const Range&) { return a; }

Range between(const RangeNode& node, const Range&, const Range&, const Range&) {
  return {node.low, node.high, 0};
}

Range anything(const RangeNode& node, const Range&, const Range&, const Range&) {
  return full_range(node.width);
}

using Rule = Range (*)(const RangeNode&, const Range&, const Range&, const Range&);

struct Row {
  Rule rule;
  int operands;
};

/// In the order of RangeCode.
constexpr std::array rows{
    Row{between, 0},  Row{anything, 0}, Row{anything, 0}, Row{block_id, 1},   Row{add, 2},
    Row{subtract, 2}, Row{multiply, 2}, Row{divide, 2},   Row{remainder, 2},  Row{minimum, 2},
    Row{maximum, 2},  Row{absolute, 1}, Row{negate, 1},   Row{shift_left, 2}, Row{shift_right, 2},
    Row{bit_and, 2},  Row{bit_or, 2},   Row{bit_xor, 2},  Row{extend, 1},     Row{truncate, 1},
    Row{compare, 2},  Row{choose, 3},   Row{either, 2},   Row{counting, 3},   Row{clamp, 1},
    Row{aligned, 1},  Row{same, 1},
};
static_assert(rows.size() == static_cast<std::size_t>(RangeCode::opaque) + 1);

/// Codes for which an operand without any value does not make the result so.
bool tolerates_nothing(RangeCode code) {
  return code == RangeCode::choose || code == RangeCode::either;
}

}  // namespace

Range exact_range(std::int64_t value) noexcept { return {value, value, 0}; }

Range hull(const Range& a, const Range& b) noexcept {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const Range range{std::min(a.low, b.low), std::max(a.high, b.high), 0};
  if (range.exact()) return range;
  return {range.low, range.high,
          static_cast<std::uint8_t>(std::min({zeros_of(a), zeros_of(b), 63}))};
}

int operand_count(RangeCode code) noexcept { return rows[static_cast<std::size_t>(code)].operands; }

Range step(const RangeNode& node, const Range& a, const Range& b, const Range& c) noexcept {
  const Row& row = rows[static_cast<std::size_t>(node.code)];
  if (!tolerates_nothing(node.code)) {
    const bool runs = (row.operands < 1 || !a.empty()) && (row.operands < 2 || !b.empty()) &&
                      (row.operands < 3 || !c.empty());
    if (!runs) return nothing;
  }
  return row.rule(node, a, b, c);
}

}  // namespace tw::inline v0::passes
