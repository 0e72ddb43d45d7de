// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

/// Here i4 is one, too.
bool is_any_integer(ElementKind kind) { return !is_float(kind); }

/// The tile of integers or pointers that is promised something, or nullptr.
const TileType* subject(const OpContext& c) {
  const Type& type = c.operand(0);
  const bool suits = pointer_tile(type) != nullptr || is_tile_of(type, is_any_integer);
  return suits ? type.as<TileType>() : nullptr;
}

bool assume_c1(const OpContext& c) {
  return c.operand(0) == c.result() ||
         c.fail("assume_c1", "{} becomes {}", to_string(c.operand(0)), to_string(c.result()));
}

bool assume_c2(const OpContext& c, const DivBy& promise) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 62;
  const TileType* tile = subject(c);
  if (tile == nullptr && !c.operand(0).is<TensorViewType>()) {
    return c.fail("assume_c2", "div_by does not hold for {}", to_string(c.operand(0)));
  }
  if (!std::has_single_bit(promise.divisor) || promise.divisor > largest) {
    return c.fail("assume_c2", "{} is no divisor", promise.divisor);
  }
  if (!promise.every && !promise.along) return true;
  const bool placed = promise.every && promise.along && tile != nullptr && *promise.along >= 0 &&
                      *promise.along < std::ssize(tile->shape);
  const bool inside = placed && *promise.every >= 0 &&
                      *promise.every <= tile->shape[static_cast<std::size_t>(*promise.along)];
  return inside || c.fail("assume_c2", "every and along do not fit {}", to_string(c.operand(0)));
}

bool assume_c3(const OpContext& c, const SameElements& promise) {
  const TileType* tile = subject(c);
  bool holds = tile != nullptr && promise.counts.size() == tile->shape.size();
  for (std::size_t axis = 0; holds && axis < tile->shape.size(); ++axis) {
    holds = promise.counts[axis] >= 0 && promise.counts[axis] <= tile->shape[axis];
  }
  return holds || c.fail("assume_c3", "same_elements<[{}]> does not fit {}",
                         to_string(promise.counts), to_string(c.operand(0)));
}

bool assume_c4(const OpContext& c, const Bounded& promise) {
  if (!is_tile_of(c.operand(0), is_any_integer)) {
    return c.fail("assume_c4", "{} cannot be bounded", to_string(c.operand(0)));
  }
  const int unused = 64 - info(c.operand(0).tile().kind()).bits;
  const auto in_range = [unused](const std::optional<std::int64_t>& bound) {
    return !bound ||
           *bound ==
               static_cast<std::int64_t>(static_cast<std::uint64_t>(*bound) << unused) >> unused;
  };
  const bool ordered = !promise.lower || !promise.upper || *promise.lower <= *promise.upper;
  return (in_range(promise.lower) && in_range(promise.upper) && ordered) ||
         c.fail("assume_c4", "the bounds are out of order or out of the range of {}",
                to_string(c.operand(0)));
}

bool predicate_holds(const OpContext& c) {
  const auto& predicate = c.op.get<AssumePredicate>(AttributeName::predicate);
  if (const auto* each = std::get_if<DivBy>(&predicate)) return assume_c2(c, *each);
  if (const auto* each = std::get_if<SameElements>(&predicate)) return assume_c3(c, *each);
  return assume_c4(c, std::get<Bounded>(predicate));
}

const OpChecks table[] = {
    {{Opcode::assume}, {assume_c1, predicate_holds}},
};

}  // namespace

std::span<const OpChecks> assume_checks() { return table; }

}  // namespace tw::inline v0::ir
