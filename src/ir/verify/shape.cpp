// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ranges>

#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

using enum Opcode;

/// Reports a rule that names the types on both sides.
bool mismatch(const OpContext& c, Rule rule) {
  return c.fail(rule, "{} gives {}", to_string(c.operand(0)), to_string(c.result()));
}

bool same_element(const Type& a, const Type& b) {
  const auto* first = a.as<TileType>();
  const auto* second = b.as<TileType>();
  return first != nullptr && second != nullptr && first->element == second->element;
}

bool same_element_and_rank(const Type& a, const Type& b) {
  return same_element(a, b) && a.tile().shape.size() == b.tile().shape.size();
}

const Shape& shape(const Type& type) { return type.tile().shape; }

bool broadcast_c1(const OpContext& c) {
  return same_element_and_rank(c.operand(0), c.result()) || mismatch(c, "broadcast_c1");
}

bool broadcast_c2(const OpContext& c) {
  const auto stretches = [](std::int64_t from, std::int64_t to) { return from == to || from == 1; };
  return std::ranges::equal(shape(c.operand(0)), shape(c.result()), stretches) ||
         mismatch(c, "broadcast_c2");
}

bool reshape_c1(const OpContext& c) {
  return (same_element(c.operand(0), c.result()) &&
          product(shape(c.operand(0))) == product(shape(c.result()))) ||
         mismatch(c, "reshape_c1");
}

bool permute_c1(const OpContext& c) {
  return (same_element_and_rank(c.operand(0), c.result()) && shape(c.result()).size() >= 2) ||
         mismatch(c, "permute_c1");
}

bool permute_c2(const OpContext& c) {
  auto order = c.op.get<IntArray>(AttributeName::permutation);
  const std::size_t rank = shape(c.result()).size();
  std::ranges::sort(order);
  return std::ranges::equal(order, std::views::iota(std::size_t{0}, rank), {},
                            [](std::int64_t axis) { return static_cast<std::size_t>(axis); }) ||
         c.fail("permute_c2", "the permutation does not name each of {} axes once", rank);
}

bool permute_c3(const OpContext& c) {
  const auto& order = c.op.get<IntArray>(AttributeName::permutation);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::int64_t extent = shape(c.operand(0))[static_cast<std::size_t>(order[k])];
    if (shape(c.result())[k] != extent) return mismatch(c, "permute_c3");
  }
  return true;
}

bool cat_c1(const OpContext& c) {
  return (same_element_and_rank(c.operand(0), c.result()) &&
          same_element_and_rank(c.operand(1), c.result())) ||
         mismatch(c, "cat_c1");
}

bool cat_c2(const OpContext& c) {
  const std::int64_t dim = c.op.integer(AttributeName::dim);
  return (dim >= 0 && dim < std::ssize(shape(c.result()))) || c.fail("cat_c2", "dim is {}", dim);
}

bool cat_c3(const OpContext& c) {
  const auto dim = static_cast<std::size_t>(c.op.integer(AttributeName::dim));
  for (std::size_t axis = 0; axis < shape(c.result()).size(); ++axis) {
    const std::int64_t a = shape(c.operand(0))[axis];
    const std::int64_t b = shape(c.operand(1))[axis];
    const std::int64_t whole = shape(c.result())[axis];
    if (axis == dim ? whole == a + b : a == whole && b == whole) continue;
    return c.fail("cat_c3", "extents {} and {} give {} along axis {}", a, b, whole, axis);
  }
  return true;
}

/// An extract takes the small tile out of the large one, an insert puts it in.
const Type& large(const OpContext& c) { return c.operand(c.op.code == insert ? 1 : 0); }
const Type& small(const OpContext& c) { return c.op.code == insert ? c.operand(0) : c.result(); }

bool extract_c1(const OpContext& c) {
  return same_element_and_rank(small(c), large(c)) ||
         c.fail("extract_c1", "{} is no part of {}", to_string(small(c)), to_string(large(c)));
}

bool extract_c2(const OpContext& c) {
  const auto divides = [](std::int64_t part, std::int64_t whole) { return whole % part == 0; };
  return std::ranges::equal(shape(small(c)), shape(large(c)), divides) ||
         c.fail("extract_c2", "{} does not divide {}", to_string(small(c)), to_string(large(c)));
}

bool extract_c3(const OpContext& c) {
  const auto indices = c.op.group(c.op.code == insert ? 2 : 1);
  const Type index = tile_type(ElementKind::i32);
  const bool fits = indices.size() == shape(large(c)).size() &&
                    std::ranges::all_of(indices, [&](Value v) { return c.type(v) == index; });
  return fits || c.fail("extract_c3", "a tile of {} axes needs as many indices of type tile<i32>",
                        shape(large(c)).size());
}

bool insert_c1(const OpContext& c) {
  return c.result() == c.operand(1) || c.fail("insert_c1", "inserting into {} gives {}",
                                              to_string(c.operand(1)), to_string(c.result()));
}

bool iota_c1(const OpContext& c) {
  return (is_tile_of(c.result(), is_integer) && shape(c.result()).size() == 1) ||
         c.fail("iota_c1", "it gives {}", to_string(c.result()));
}

bool iota_c2(const OpContext& c) {
  const int bits = info(c.result().tile().kind()).bits;
  return bits >= 32 || shape(c.result())[0] <= std::int64_t{1} << bits ||
         c.fail("iota_c2", "{} bits cannot count {} elements", bits, shape(c.result())[0]);
}

bool constant_c1(const OpContext& c) {
  return is_tile_of(c.result(), is_number) ||
         c.fail("constant_c1", "it gives {}", to_string(c.result()));
}

bool constant_c2(const OpContext& c) {
  const TileType& tile = c.result().tile();
  const auto count = static_cast<std::size_t>(product(tile.shape));
  return fits(c.op.get<Constant>(AttributeName::value), tile.kind(), count) ||
         c.fail("constant_c2", "{} bytes do not make {}",
                c.op.get<Constant>(AttributeName::value).bytes.size(), to_string(c.result()));
}

bool offset_c1(const OpContext& c) {
  return (pointer_tile(c.operand(0)) != nullptr && c.operand(0) == c.result()) ||
         mismatch(c, "offset_c1");
}

bool offset_c2(const OpContext& c) {
  return (is_tile_of(c.operand(1), is_integer) && same_shape(c.operand(1), c.operand(0))) ||
         c.fail("offset_c2", "{} is moved by {}", to_string(c.operand(0)), to_string(c.operand(1)));
}

const OpChecks table[] = {
    {{broadcast}, {broadcast_c1, broadcast_c2}},
    {{reshape}, {reshape_c1}},
    {{permute}, {permute_c1, permute_c2, permute_c3}},
    {{cat}, {cat_c1, cat_c2, cat_c3}},
    {{extract, insert}, {extract_c1, extract_c2, extract_c3}},
    {{insert}, {insert_c1}},
    {{iota}, {iota_c1, iota_c2}},
    {{constant}, {constant_c1, constant_c2}},
    {{offset}, {offset_c1, offset_c2}},
};

}  // namespace

std::span<const OpChecks> shape_checks() { return table; }

}  // namespace tw::inline v0::ir
