// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "dsl/element_rules.hpp"

namespace tw::inline v0::detail {
namespace {

using ir::AttributeName;
using ir::Opcode;

/// Whether every number of one format is one of another.
bool is_exact(const FloatFormat& from, const FloatFormat& to) {
  return from.precision <= to.precision && from.min_exponent() >= to.min_exponent() &&
         from.max_exponent() <= to.max_exponent();
}

/// Whether the IR knows this rounding of a conversion between these types.
bool rounding_allowed(DType from, DType to, rounding asked) {
  if (asked == rounding::standard) return true;
  if (asked == rounding::approx || asked == rounding::full) return false;
  if (to == DType::f8e8m0) return asked == rounding::zero || asked == rounding::positive;
  if (asked == rounding::nearest) return true;
  const FloatFormat& target = info(element_kind(to)).format;
  if (target.bits < 16) return false;
  if (asked == rounding::zero || is_exact(info(element_kind(from)).format, target)) return true;
  if (from == DType::f64 && to == DType::f32) return asked != rounding::nearest_away;
  return from == DType::f32 && to == DType::tf32 && asked == rounding::nearest_away;
}

ir::Value convert_float(ir::Builder& builder, ir::Value x, DType to, const Shape& shape,
                        rounding asked) {
  const bool power_of_two_scale = to == DType::f8e8m0;
  ir::OpDraft draft(Opcode::ftof, builder.location());
  draft.operand(x).set(AttributeName::rounding,
                       rounding_mode(asked, power_of_two_scale ? ir::RoundingMode::zero
                                                               : ir::RoundingMode::nearest_even));
  return builder.append(draft, {stored_type(to, shape)});
}

ir::Value convert_to_integer(ir::Builder& builder, ir::Value x, DType to, const Shape& shape) {
  ir::OpDraft draft(Opcode::ftoi, builder.location());
  draft.operand(x)
      .set(AttributeName::signedness, signedness(to))
      .set(AttributeName::rounding, ir::RoundingMode::nearest_int_to_zero)
      .set(AttributeName::saturating, std::int64_t{1});
  return builder.append(draft, {stored_type(to, shape)});
}

ir::Value convert_from_integer(ir::Builder& builder, ir::Value x, DType from, DType to,
                               const Shape& shape) {
  ir::OpDraft draft(Opcode::itof, builder.location());
  draft.operand(x)
      .set(AttributeName::signedness, signedness(from))
      .set(AttributeName::rounding, ir::RoundingMode::nearest_even);
  return builder.append(draft, {stored_type(to, shape)});
}

ir::Value convert_integer(ir::Builder& builder, ir::Value x, DType from, DType to,
                          const Shape& shape) {
  const auto from_bits = info(element_kind(from)).bits;
  const auto to_bits = info(element_kind(to)).bits;
  if (from_bits == to_bits) return x;
  ir::OpDraft draft(from_bits < to_bits ? Opcode::exti : Opcode::trunci, builder.location());
  draft.operand(x);
  if (from_bits < to_bits) draft.set(AttributeName::signedness, signedness(from));
  return builder.append(draft, {stored_type(to, shape)});
}

/// What is wrong with a conversion; empty if nothing is.
std::string complaint(DType from, DType to, rounding asked) {
  if (!is_float(from) || !is_float(to)) {
    if (asked != rounding::standard) {
      return "only conversions between floating-point types take a rounding";
    }
    if (to == DType::f8e8m0) {
      return fmt::format("{} does not convert to f8e8m0: convert with as<float>(x) first",
                         info(from).name);
    }
  } else if (!rounding_allowed(from, to, asked)) {
    return fmt::format("a conversion of {} to {} has no such rounding", info(from).name,
                       info(to).name);
  }
  return {};
}

}  // namespace

TileRef convert(const TileRef& x, DType to, rounding asked, Location where) {
  Trace& trace = Trace::current(where);
  const ir::Value value = trace.use(x, where);
  if (x.dtype == to) return x;
  if (std::string wrong = complaint(x.dtype, to, asked); !wrong.empty()) {
    trace.error(std::move(wrong), where);
    return trace.poison(to, x.shape, where);
  }
  const bool from_float = is_float(x.dtype);
  const bool to_float = is_float(to);
  if (to == DType::boolean) {
    if (from_float && !computes(x.dtype)) {
      return convert(convert(x, DType::f32, rounding::standard, where), to, rounding::standard,
                     where);
    }
    return compare(Compare::ne, x, filled(0, x.dtype, x.shape, where), where);
  }
  ir::Builder& builder = trace.at(where);
  const ir::Value result = from_float && to_float
                               ? convert_float(builder, value, to, x.shape, asked)
                           : from_float ? convert_to_integer(builder, value, to, x.shape)
                           : to_float   ? convert_from_integer(builder, value, x.dtype, to, x.shape)
                                        : convert_integer(builder, value, x.dtype, to, x.shape);
  return trace.make(result, to, x.shape, where);
}

TileRef bitcast(const TileRef& x, DType to, Location where) {
  Trace& trace = Trace::current(where);
  const ir::Value value = trace.use(x, where);
  if (element_kind(x.dtype) == element_kind(to)) return trace.make(value, to, x.shape, where);
  return trace.make(trace.at(where).simple(Opcode::bitcast, stored_type(to, x.shape), {value}), to,
                    x.shape, where);
}

}  // namespace tw::inline v0::detail
