// SPDX-License-Identifier: Apache-2.0
#include "passes/range_bounds.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <tilewright/ir/enums.hpp>

namespace tw::inline v0::passes {
namespace {

using ir::ComparisonPredicate;

/// Known where both are.
Bound both(Bound a, Bound b) {
  return a == Bound::type || b == Bound::type ? Bound::type : std::max(a, b);
}
/// Known where either is.
Bound any(Bound a, Bound b) { return std::max(a, b); }

Bound all(const KnownOperand& a) { return both(a.bounds.lower, a.bounds.upper); }
Bound all(const KnownOperand& a, const KnownOperand& b) { return both(all(a), all(b)); }

using Known = const KnownOperand&;

Bounds none(const RangeNode&, Known, Known, Known) { return {}; }
Bounds first(const RangeNode&, Known a, Known, Known) { return a.bounds; }
Bounds whole_first(const RangeNode&, Known a, Known, Known) { return {all(a), all(a)}; }
Bounds whole(const RangeNode&, Known a, Known b, Known) { return {all(a, b), all(a, b)}; }

Bounds block_id(const RangeNode&, Known a, Known, Known) { return {Bound::fixed, a.bounds.upper}; }

Bounds sum(const RangeNode&, Known a, Known b, Known) {
  return {both(a.bounds.lower, b.bounds.lower), both(a.bounds.upper, b.bounds.upper)};
}
Bounds difference(const RangeNode&, Known a, Known b, Known) {
  return {both(a.bounds.lower, b.bounds.upper), both(a.bounds.upper, b.bounds.lower)};
}
/// An operand scaled by another that is not negative keeps its sides.
Bounds scaled(const RangeNode& node, Known a, Known b, Known c) {
  if (b.range.low < 0) return whole(node, a, b, c);
  return {both(a.bounds.lower, all(b)), both(a.bounds.upper, all(b))};
}
Bounds product(const RangeNode& node, Known a, Known b, Known c) {
  return a.range.low >= 0 ? scaled(node, b, a, c) : scaled(node, a, b, c);
}
Bounds remainder(const RangeNode&, Known, Known b, Known) { return {all(b), all(b)}; }
Bounds minimum(const RangeNode&, Known a, Known b, Known) {
  return {both(a.bounds.lower, b.bounds.lower), any(a.bounds.upper, b.bounds.upper)};
}
Bounds maximum(const RangeNode&, Known a, Known b, Known) {
  return {any(a.bounds.lower, b.bounds.lower), both(a.bounds.upper, b.bounds.upper)};
}
Bounds negate(const RangeNode&, Known a, Known, Known) { return {a.bounds.upper, a.bounds.lower}; }
Bounds bit_and(const RangeNode& node, Known a, Known b, Known c) {
  if (node.width == 1) return minimum(node, a, b, c);
  Bounds result;
  if (a.range.low >= 0) result.upper = any(result.upper, a.bounds.upper);
  if (b.range.low >= 0) result.upper = any(result.upper, b.bounds.upper);
  return result;
}
Bounds bit_or(const RangeNode& node, Known a, Known b, Known c) {
  return node.width == 1 ? maximum(node, a, b, c) : whole(node, a, b, c);
}
/// Of truth values a negation, as soon as one side is fixed.
Bounds bit_xor(const RangeNode& node, Known a, Known b, Known c) {
  if (node.width == 1 && b.range.is(1)) return negate(node, a, b, c);
  return whole(node, a, b, c);
}
Bounds compare(const RangeNode& node, Known a, Known b, Known) {
  const auto predicate = static_cast<ComparisonPredicate>(node.detail);
  const Bound less = both(a.bounds.upper, b.bounds.lower);
  const Bound more = both(a.bounds.lower, b.bounds.upper);
  // What may be negative must be proved not to be before an unsigned comparison reads as signed.
  const Bound natural = node.is_signed ? Bound::fixed : both(a.bounds.lower, b.bounds.lower);
  switch (predicate) {
    case ComparisonPredicate::equal:
      return {all(a, b), any(less, more)};
    case ComparisonPredicate::not_equal:
      return {any(less, more), all(a, b)};
    case ComparisonPredicate::less_than:
    case ComparisonPredicate::less_than_or_equal:
      return {both(less, natural), both(more, natural)};
    default:
      return {both(more, natural), both(less, natural)};
  }
}
Bounds choose(const RangeNode&, Known, Known b, Known c) {
  return {both(b.bounds.lower, c.bounds.lower), both(b.bounds.upper, c.bounds.upper)};
}
Bounds either(const RangeNode& node, Known a, Known b, Known c) { return choose(node, c, a, b); }
Bounds counting(const RangeNode&, Known from, Known to, Known) {
  return {from.bounds.lower, to.bounds.upper};
}

using Rule = Bounds (*)(const RangeNode&, Known, Known, Known);

/// In the order of RangeCode.
constexpr std::array rules{
    Rule{none},       Rule{none},        Rule{none},    Rule{block_id},  Rule{sum},
    Rule{difference}, Rule{product},     Rule{scaled},  Rule{remainder}, Rule{minimum},
    Rule{maximum},    Rule{whole_first}, Rule{negate},  Rule{scaled},    Rule{scaled},
    Rule{bit_and},    Rule{bit_or},      Rule{bit_xor}, Rule{first},     Rule{whole_first},
    Rule{compare},    Rule{choose},      Rule{either},  Rule{counting},  Rule{first},
    Rule{first},      Rule{first},
};
static_assert(rules.size() == static_cast<std::size_t>(RangeCode::opaque) + 1);

}  // namespace

Bounds bounds_of(const RangeNode& node, const Range& range, const KnownOperand& a,
                 const KnownOperand& b, const KnownOperand& c) {
  Bounds bounds = rules[static_cast<std::size_t>(node.code)](node, a, b, c);
  if (range.low > lowest(node.width)) bounds.lower = any(bounds.lower, Bound::fixed);
  if (range.high < highest(node.width)) bounds.upper = any(bounds.upper, Bound::fixed);
  return bounds;
}

}  // namespace tw::inline v0::passes
