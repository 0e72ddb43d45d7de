// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/verify/op_check.hpp"
#include "ir/verify/tile_sets.hpp"

namespace tw::inline v0::ir {
namespace {

using enum Opcode;
using enum ElementKind;

const Type& lhs(const OpContext& c) { return c.operand(0); }
const Type& rhs(const OpContext& c) { return c.operand(1); }
const Type& accumulator(const OpContext& c) { return c.operand(2); }
const Type& lhs_scale(const OpContext& c) { return c.operand(3); }
const Type& rhs_scale(const OpContext& c) { return c.operand(4); }

/// The extents of a matrix, or of each of a batch of matrices.
struct Extents {
  explicit Extents(const Type& type) {
    const Shape& shape = type.tile().shape;
    if (shape.size() == 3) batch = shape.front();
    rows = shape[shape.size() - 2];
    columns = shape.back();
  }

  std::int64_t batch = 1;
  std::int64_t rows;
  std::int64_t columns;
};

bool fails(const OpContext& c, Rule rule) {
  return c.fail(rule, "{} times {} into {}", to_string(lhs(c)), to_string(rhs(c)),
                to_string(accumulator(c)));
}

bool fails_scaled(const OpContext& c, Rule rule) {
  return c.fail(rule, "{} times {} with scales {} and {}", to_string(lhs(c)), to_string(rhs(c)),
                to_string(lhs_scale(c)), to_string(rhs_scale(c)));
}

bool mma_c1(const OpContext& c) {
  const auto* first = lhs(c).as<TileType>();
  const std::size_t rank = first == nullptr ? 0 : first->shape.size();
  const bool equal = std::ranges::all_of(c.op.operands, [&](Value each) {
    const TileType* tile = number_tile(c.type(each));
    return tile != nullptr && tile->shape.size() == rank;
  });
  return (equal && (rank == 2 || rank == 3)) || fails(c, "mma_c1");
}

bool mma_c2(const OpContext& c) {
  const Extents a(lhs(c));
  const Extents b(rhs(c));
  const Extents sum(accumulator(c));
  const bool one_batch = a.batch == b.batch && a.batch == sum.batch;
  return (one_batch && a.columns == b.rows && a.rows == sum.rows && b.columns == sum.columns) ||
         fails(c, "mma_c2");
}

bool mma_c3(const OpContext& c) {
  return accumulator(c) == c.result() || c.fail("mma_c3", "accumulating into {} gives {}",
                                                to_string(accumulator(c)), to_string(c.result()));
}

bool accumulates(ElementKind factor, ElementKind sum) {
  switch (factor) {
    case f16:
    case f8e4m3:
    case f8e5m2:
      return sum == f16 || sum == f32;
    case bf16:
    case tf32:
    case f32:
      return sum == f32;
    case f64:
      return sum == f64;
    default:
      return false;
  }
}

bool mmaf_c1(const OpContext& c) {
  const ElementKind factor = lhs(c).tile().kind();
  return (factor == rhs(c).tile().kind() && accumulates(factor, accumulator(c).tile().kind())) ||
         fails(c, "mmaf_c1");
}

bool mmai_c1(const OpContext& c) {
  return (is_tile_of(lhs(c), i8) && is_tile_of(rhs(c), i8) && is_tile_of(accumulator(c), i32)) ||
         fails(c, "mmai_c1");
}

bool mmaf_scaled_c1(const OpContext& c) {
  const ElementKind factor = lhs(c).tile().kind();
  const bool narrow = factor == f8e4m3 || factor == f8e5m2 || factor == f4e2m1;
  return (narrow && factor == rhs(c).tile().kind() && is_tile_of(accumulator(c), f32)) ||
         fails(c, "mmaf_scaled_c1");
}

bool mmaf_scaled_c2(const OpContext& c) {
  const ElementKind scale = lhs_scale(c).tile().kind();
  const bool for_f4 = scale == f8e4m3 || scale == f8e5m3;
  const bool suits = scale == f8e8m0 || (for_f4 && is_tile_of(lhs(c), f4e2m1));
  return (suits && scale == rhs_scale(c).tile().kind()) || fails_scaled(c, "mmaf_scaled_c2");
}

bool mmaf_scaled_c3(const OpContext& c) {
  const Extents a(lhs(c));
  const Extents b(rhs(c));
  const Extents left(lhs_scale(c));
  const Extents right(rhs_scale(c));
  const bool fit = left.rows == a.rows && right.columns == b.columns && left.batch == a.batch &&
                   right.batch == b.batch && left.columns == right.rows;
  return (fit && a.columns % left.columns == 0) || fails_scaled(c, "mmaf_scaled_c3");
}

bool mmaf_scaled_c4(const OpContext& c) {
  const std::int64_t block = Extents(lhs(c)).columns / Extents(lhs_scale(c)).columns;
  const bool is_f4 = is_tile_of(lhs(c), f4e2m1);
  const bool allows_32 = !is_f4 || is_tile_of(lhs_scale(c), f8e8m0);
  return (block == 16 && is_f4) || (block == 32 && allows_32) || fails_scaled(c, "mmaf_scaled_c4");
}

const OpChecks table[] = {
    {{mmaf, mmaf_scaled, mmai}, {mma_c1, mma_c2, mma_c3}},
    {{mmaf}, {mmaf_c1}},
    {{mmai}, {mmai_c1}},
    {{mmaf_scaled}, {mmaf_scaled_c1, mmaf_scaled_c2, mmaf_scaled_c3, mmaf_scaled_c4}},
};

}  // namespace

std::span<const OpChecks> matrix_checks() { return table; }

}  // namespace tw::inline v0::ir
