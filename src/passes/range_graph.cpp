// SPDX-License-Identifier: Apache-2.0
#include "passes/range_graph.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <tilewright/ir/enums.hpp>

#include "passes/range_bounds.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::ComparisonPredicate;
using ir::RoundingMode;

/// How far a proof follows operands.
constexpr int proof_depth = 8;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash ^= word;
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(const RangeNode& node) {
  std::uint64_t hash = static_cast<std::uint64_t>(node.code) | std::uint64_t{node.width} << 8 |
                       std::uint64_t{node.is_signed} << 16 | std::uint64_t{node.detail} << 24;
  hash = mixed(hash, node.a | std::uint64_t{node.b} << 32);
  hash = mixed(hash, node.c);
  hash = mixed(hash, static_cast<std::uint64_t>(node.low));
  return mixed(hash, static_cast<std::uint64_t>(node.high));
}

/// Whether a difference or sum stays above the least value of its width.
bool stays_above_lowest(std::int64_t low, std::int64_t change, std::uint8_t width) {
  std::int64_t least;
  return !__builtin_add_overflow(low, change, &least) && least >= lowest(width);
}

}  // namespace

RangeGraph::RangeGraph() : slots_(256) {}

std::size_t RangeGraph::slot_of(const RangeNode& node) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(node) & mask;
  while (slots_[slot] != 0 && !(nodes_[slots_[slot] - 1] == node)) slot = (slot + 1) & mask;
  return slot;
}

void RangeGraph::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (Id id = 0; id < nodes_.size(); ++id) slots_[slot_of(nodes_[id])] = id + 1;
}

RangeGraph::Id RangeGraph::insert(const RangeNode& node, const Fact& fact) {
  const std::size_t slot = slot_of(node);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  const Id id = static_cast<Id>(nodes_.size());
  slots_[slot] = id + 1;
  nodes_.push_back(node);
  facts_.push_back(fact);
  if (nodes_.size() * 2 > slots_.size()) grow();
  return id;
}

RangeGraph::Id RangeGraph::unknown(std::uint8_t width) {
  return between(lowest(width), highest(width), width);
}

RangeGraph::Id RangeGraph::constant(std::int64_t value, std::uint8_t width) {
  const RangeNode node{.code = RangeCode::between, .width = width, .low = value, .high = value};
  return insert(node, {exact_range(value), {Bound::fixed, Bound::fixed}});
}

RangeGraph::Id RangeGraph::between(std::int64_t low, std::int64_t high, std::uint8_t width) {
  if (low == high) return constant(low, width);
  // Nothing reads `a` of a leaf: its own number makes it unequal to all others.
  const RangeNode node{.code = RangeCode::between,
                       .width = width,
                       .a = static_cast<Id>(nodes_.size()),
                       .low = low,
                       .high = high};
  const Range range{low, high, 0};
  return insert(node, {range, bounds_of(node, range, {}, {}, {})});
}

RangeGraph::Id RangeGraph::launch_value(const RangeNode& node, std::int64_t low,
                                        std::int64_t high) {
  return insert(node, {{low, high, 0}, {Bound::launch, Bound::launch}});
}

RangeGraph::Id RangeGraph::opaque(Id source) {
  if (range(source).exact()) return source;
  const RangeNode node{.code = RangeCode::opaque,
                       .width = nodes_[source].width,
                       .a = source,
                       .b = static_cast<Id>(nodes_.size())};
  return insert(node, facts_[source]);
}

Range RangeGraph::derived_range(const RangeNode& node) const {
  const int operands = operand_count(node.code);
  const Range unused{};
  const Range& a = operands > 0 ? range(node.a) : unused;
  const Range& b = operands > 1 ? range(node.b) : unused;
  const Range& c = operands > 2 ? range(node.c) : unused;
  const Range result = step(node, a, b, c);
  if (node.code != RangeCode::compare || result.exact() || result.empty()) return result;
  const auto decided = ordered(node);
  return decided ? exact_range(*decided) : result;
}

RangeGraph::Id RangeGraph::add(const RangeNode& node) {
  const std::size_t slot = slot_of(node);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  const Range result = derived_range(node);
  if (result.exact()) return constant(result.low, node.width);
  const int operands = operand_count(node.code);
  const auto known = [&](int index, Id id) {
    return index < operands ? KnownOperand{range(id), facts_[id].bounds} : KnownOperand{};
  };
  return insert(node, {result, bounds_of(node, result, known(0, node.a), known(1, node.b),
                                         known(2, node.c))});
}

std::optional<bool> RangeGraph::verdict(Id id) const {
  // What holds in no iteration only is not proved: the access may leave the loop later.
  if (range(id).empty()) return std::nullopt;
  if (range(id).is(1)) return true;
  if (range(id).is(0)) return false;
  return std::nullopt;
}

bool RangeGraph::launch_decides(Id id) const { return facts_[id].bounds.lower == Bound::launch; }

std::optional<bool> RangeGraph::ordered(const RangeNode& comparison) const {
  const Id x = comparison.a;
  const Id y = comparison.b;
  if (!comparison.is_signed && (range(x).low < 0 || range(y).low < 0)) {
    // x below y as signed numbers and not negative: so is y, and the readings agree.
    const bool asks_below =
        comparison.detail == static_cast<std::uint8_t>(ComparisonPredicate::less_than);
    if (asks_below && range(x).low >= 0 && proves(x, Order::below, y, proof_depth)) return true;
    return std::nullopt;
  }
  switch (static_cast<ComparisonPredicate>(comparison.detail)) {
    case ComparisonPredicate::less_than:
      if (proves(x, Order::below, y, proof_depth)) return true;
      if (proves(y, Order::not_above, x, proof_depth)) return false;
      break;
    case ComparisonPredicate::less_than_or_equal:
      if (proves(x, Order::not_above, y, proof_depth)) return true;
      if (proves(y, Order::below, x, proof_depth)) return false;
      break;
    case ComparisonPredicate::greater_than:
      if (proves(y, Order::below, x, proof_depth)) return true;
      if (proves(x, Order::not_above, y, proof_depth)) return false;
      break;
    case ComparisonPredicate::greater_than_or_equal:
      if (proves(y, Order::not_above, x, proof_depth)) return true;
      if (proves(x, Order::below, y, proof_depth)) return false;
      break;
    case ComparisonPredicate::equal:
      if (stripped(x) == stripped(y)) return true;
      break;
    case ComparisonPredicate::not_equal:
      if (stripped(x) == stripped(y)) return false;
      break;
  }
  return std::nullopt;
}

/// The value without the promises made about it.
RangeGraph::Id RangeGraph::stripped(Id id) const {
  while (nodes_[id].code == RangeCode::clamp || nodes_[id].code == RangeCode::aligned) {
    id = nodes_[id].a;
  }
  return id;
}

bool RangeGraph::proves(Id x, Order order, Id y, int depth) const {
  if (range(x).high < range(y).low) return true;
  if (order == Order::not_above && range(x).high == range(y).low) return true;
  x = stripped(x);
  y = stripped(y);
  if (order == Order::not_above && x == y) return true;
  if (depth == 0) return false;
  return proves_by_left(x, order, y, depth - 1) || proves_by_right(x, order, y, depth - 1);
}

bool RangeGraph::proves_by_left(Id x, Order order, Id y, int depth) const {
  const RangeNode& node = nodes_[x];
  const auto natural = [&](Id id) { return range(id).low >= 0; };
  switch (node.code) {
    case RangeCode::counting:
      return (node.is_signed || (natural(node.a) && natural(node.b))) &&
             proves(node.b, Order::not_above, y, depth);
    case RangeCode::block_id:
      return proves(node.a, Order::not_above, y, depth);
    case RangeCode::minimum:
      return (node.is_signed || (natural(node.a) && natural(node.b))) &&
             (proves(node.a, order, y, depth) || proves(node.b, order, y, depth));
    case RangeCode::maximum:
      return (node.is_signed || (natural(node.a) && natural(node.b))) &&
             proves(node.a, order, y, depth) && proves(node.b, order, y, depth);
    case RangeCode::either:
      return proves(node.a, order, y, depth) && proves(node.b, order, y, depth);
    case RangeCode::choose:
      return proves(node.b, order, y, depth) && proves(node.c, order, y, depth);
    case RangeCode::remainder:
      if (!node.is_signed && !(natural(node.a) && natural(node.b))) return false;
      return (range(node.b).low > 0 && proves(node.b, Order::not_above, y, depth)) ||
             (natural(node.a) && proves(node.a, order, y, depth));
    case RangeCode::divide:
      return natural(node.a) && range(node.b).low > 0 && proves(node.a, order, y, depth);
    case RangeCode::shift_right:
      return natural(node.a) && range(node.b).low >= 0 && range(node.b).high < node.width &&
             proves(node.a, order, y, depth);
    case RangeCode::subtract:
      if (range(node.b).high == lowest(64) || range(node.b).low < 0 ||
          !stays_above_lowest(range(node.a).low, -range(node.b).high, node.width)) {
        return false;
      }
      return proves(node.a, range(node.b).low > 0 ? Order::not_above : order, y, depth);
    case RangeCode::add:
      if (range(node.b).high > 0 ||
          !stays_above_lowest(range(node.a).low, range(node.b).low, node.width)) {
        return false;
      }
      return proves(node.a, range(node.b).high < 0 ? Order::not_above : order, y, depth);
    default:
      return false;
  }
}

bool RangeGraph::proves_by_right(Id x, Order order, Id y, int depth) const {
  const RangeNode& node = nodes_[y];
  switch (node.code) {
    case RangeCode::maximum:
      return node.is_signed && (proves(x, order, node.a, depth) || proves(x, order, node.b, depth));
    case RangeCode::minimum:
      return node.is_signed && proves(x, order, node.a, depth) && proves(x, order, node.b, depth);
    case RangeCode::extend: {
      // Two widened values compare as before, if widening kept them.
      const RangeNode& left = nodes_[x];
      const auto keeps = [&](const RangeNode& widened) {
        return widened.detail > 1 && (widened.is_signed || range(widened.a).low >= 0);
      };
      return left.code == RangeCode::extend && left.detail == node.detail && keeps(left) &&
             keeps(node) && proves(left.a, order, node.a, depth);
    }
    default:
      return false;
  }
}

}  // namespace tw::inline v0::passes
