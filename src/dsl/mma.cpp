// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "dsl/trace.hpp"

namespace tw::inline v0::detail {
namespace {

using ir::AttributeName;
using ir::Opcode;

struct Product {
  DType factor;
  DType accumulator;
};
constexpr Product products[] = {
    {DType::f16, DType::f16},    {DType::f16, DType::f32},    {DType::bf16, DType::f32},
    {DType::tf32, DType::f32},   {DType::f32, DType::f32},    {DType::f64, DType::f64},
    {DType::f8e4m3, DType::f16}, {DType::f8e4m3, DType::f32}, {DType::f8e5m2, DType::f16},
    {DType::f8e5m2, DType::f32}, {DType::int8, DType::int32}, {DType::uint8, DType::int32},
};

bool multiplies(DType factor, DType accumulator) {
  for (const Product& product : products) {
    if (product.factor == factor && product.accumulator == accumulator) return true;
  }
  return false;
}

/// A type of factors with the type of their scales, each of which belongs to a block of them.
struct ScaledProduct {
  DType factor;
  DType scale;
  std::int64_t block;
};
constexpr ScaledProduct scaled_products[] = {
    {DType::f8e4m3, DType::f8e8m0, 32}, {DType::f8e5m2, DType::f8e8m0, 32},
    {DType::f4e2m1, DType::f8e8m0, 16}, {DType::f4e2m1, DType::f8e8m0, 32},
    {DType::f4e2m1, DType::f8e4m3, 16}, {DType::f4e2m1, DType::f8e5m3, 16},
};

bool multiplies_scaled(DType factor, DType scale, std::int64_t block) {
  for (const ScaledProduct& product : scaled_products) {
    if (product.factor == factor && product.scale == scale && product.block == block) return true;
  }
  return false;
}

/// The rows of a shape whose last two axes are a matrix, and its columns.
std::int64_t rows(const Shape& shape) { return shape[shape.size() - 2]; }
std::int64_t columns(const Shape& shape) { return shape.back(); }

bool shapes_fit(const Shape& a, const Shape& b, const Shape& acc) {
  const bool batches = acc.size() == 2 || (a.front() == b.front() && a.front() == acc.front());
  return batches && columns(a) == rows(b) && rows(acc) == rows(a) && columns(acc) == columns(b);
}

/// A factor whose lanes beyond the user's k are zero, so that they add nothing.
ir::Value summand(Trace& trace, const TileRef& x, std::size_t axis, Location where) {
  return masked(trace, x, axis, 0, where);
}

}  // namespace

TileRef mma(const TileRef& a, const TileRef& b, const TileRef& acc, bool fast_acc, Location where) {
  Trace& trace = Trace::current(where);
  if (!shapes_fit(a.shape, b.shape, acc.shape)) {
    trace.error(
        fmt::format("mma of {} (m x k) by {} (k x n) into {} (m x n): k is {} and {}, m is {} and "
                    "{}, n is {} and {}",
                    to_string(a.shape), to_string(b.shape), to_string(acc.shape), columns(a.shape),
                    rows(b.shape), rows(a.shape), rows(acc.shape), columns(b.shape),
                    columns(acc.shape)),
        where);
    return trace.poison(acc.dtype, acc.shape, where);
  }
  const bool integers = !is_float(a.dtype);
  if (!multiplies(a.dtype, acc.dtype) || !multiplies(b.dtype, acc.dtype)) {
    trace.error(fmt::format("mma of {} by {} cannot accumulate in {}", info(a.dtype).name,
                            info(b.dtype).name, info(acc.dtype).name),
                where);
    return trace.poison(acc.dtype, acc.shape, where);
  }
  const std::size_t rank = acc.shape.size();
  const ir::Value left = summand(trace, a, rank - 1, where);
  const ir::Value right = summand(trace, b, rank - 2, where);
  const ir::Value sum = trace.use(acc, where);
  ir::Builder& builder = trace.at(where);
  ir::OpDraft draft(integers ? Opcode::mmai : Opcode::mmaf, builder.location());
  draft.operand(left).operand(right).operand(sum);
  if (integers) {
    draft.set(AttributeName::signedness_lhs, signedness(a.dtype))
        .set(AttributeName::signedness_rhs, signedness(b.dtype));
  } else if (fast_acc) {
    draft.set(AttributeName::fast_acc, std::int64_t{1});
  }
  return trace.make(builder.append(draft, {stored_type(acc.dtype, acc.shape)}), acc.dtype,
                    acc.shape, where);
}

TileRef mma_scaled(const TileRef& a, const TileRef& b, const TileRef& acc, const TileRef& a_scale,
                   const TileRef& b_scale, Location where) {
  Trace& trace = Trace::current(where);
  const bool fit =
      shapes_fit(a.shape, b.shape, acc.shape) && rows(a_scale.shape) == rows(a.shape) &&
      columns(b_scale.shape) == columns(b.shape) && columns(a_scale.shape) == rows(b_scale.shape) &&
      columns(a.shape) % columns(a_scale.shape) == 0 && is_stored(a.shape) && is_stored(b.shape);
  if (!fit) {
    trace.error(
        fmt::format("mma_scaled of {} by {} into {} with scales {} and {}: the shapes do not "
                    "fit",
                    to_string(a.shape), to_string(b.shape), to_string(acc.shape),
                    to_string(a_scale.shape), to_string(b_scale.shape)),
        where);
    return trace.poison(acc.dtype, acc.shape, where);
  }
  const std::int64_t block = columns(a.shape) / columns(a_scale.shape);
  if (!multiplies_scaled(a.dtype, a_scale.dtype, block)) {
    trace.error(fmt::format("mma_scaled does not multiply {} with scales of {} in blocks of {}",
                            info(a.dtype).name, info(a_scale.dtype).name, block),
                where);
    return trace.poison(acc.dtype, acc.shape, where);
  }
  ir::OpDraft draft(Opcode::mmaf_scaled, trace.at(where).location());
  for (const TileRef* operand : {&a, &b, &acc, &a_scale, &b_scale}) {
    draft.operand(trace.use(*operand, where));
  }
  return trace.make(trace.at(where).append(draft, {stored_type(acc.dtype, acc.shape)}), acc.dtype,
                    acc.shape, where);
}

}  // namespace tw::inline v0::detail
