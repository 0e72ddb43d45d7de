// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "dsl/element_rules.hpp"

namespace tw::inline v0::detail {
namespace {

using ir::AttributeName;
using ir::Opcode;

/// What a float op of the table takes besides its operands.
enum class Takes : std::uint8_t { nothing, rounding, flush, rounding_and_flush };

/// How an operation of the language maps to one op of the IR for floats and one for integers.
struct OpChoice {
  std::string_view name;
  std::optional<Opcode> on_floats;
  Takes takes = Takes::nothing;
  std::optional<Opcode> on_signed;
  std::optional<Opcode> on_unsigned;
};

constexpr OpChoice unary_ops[] = {
    {"abs", Opcode::absf, Takes::nothing, Opcode::absi, {}},
    {"-", Opcode::negf, Takes::nothing, Opcode::negi, Opcode::negi},
    {"~", {}, Takes::nothing, {}, {}},
    {"ceil", Opcode::ceil, Takes::nothing, {}, {}},
    {"floor", Opcode::floor, Takes::nothing, {}, {}},
    {"exp", Opcode::exp, Takes::rounding, {}, {}},
    {"exp2", Opcode::exp2, Takes::flush, {}, {}},
    {"log", Opcode::log, Takes::nothing, {}, {}},
    {"log2", Opcode::log2, Takes::nothing, {}, {}},
    {"sqrt", Opcode::sqrt, Takes::rounding_and_flush, {}, {}},
    {"rsqrt", Opcode::rsqrt, Takes::flush, {}, {}},
    {"sin", Opcode::sin, Takes::nothing, {}, {}},
    {"cos", Opcode::cos, Takes::nothing, {}, {}},
    {"tan", Opcode::tan, Takes::nothing, {}, {}},
    {"sinh", Opcode::sinh, Takes::nothing, {}, {}},
    {"cosh", Opcode::cosh, Takes::nothing, {}, {}},
    {"tanh", Opcode::tanh, Takes::rounding, {}, {}},
};

constexpr OpChoice binary_ops[] = {
    {"+", Opcode::addf, Takes::rounding_and_flush, Opcode::addi, Opcode::addi},
    {"-", Opcode::subf, Takes::rounding_and_flush, Opcode::subi, Opcode::subi},
    {"*", Opcode::mulf, Takes::rounding_and_flush, Opcode::muli, Opcode::muli},
    {"/", Opcode::divf, Takes::rounding_and_flush, Opcode::divi, Opcode::divi},
    {"%", Opcode::remf, Takes::nothing, Opcode::remi, Opcode::remi},
    {"floor_div", {}, Takes::nothing, Opcode::divi, Opcode::divi},
    {"floor_mod", {}, Takes::nothing, Opcode::remi, Opcode::remi},
    {"ceil_div", {}, Takes::nothing, Opcode::divi, Opcode::divi},
    {"min", Opcode::minf, Takes::flush, Opcode::mini, Opcode::mini},
    {"max", Opcode::maxf, Takes::flush, Opcode::maxi, Opcode::maxi},
    {"&", {}, Takes::nothing, Opcode::andi, Opcode::andi},
    {"|", {}, Takes::nothing, Opcode::ori, Opcode::ori},
    {"^", {}, Takes::nothing, Opcode::xori, Opcode::xori},
    {"<<", {}, Takes::nothing, Opcode::shli, Opcode::shli},
    {">>", {}, Takes::nothing, Opcode::shri, Opcode::shri},
    {"pow", Opcode::pow, Takes::nothing, {}, {}},
    {"atan2", Opcode::atan2, Takes::nothing, {}, {}},
    {"mul_high", {}, Takes::nothing, Opcode::mulhii, Opcode::mulhii},
};

const OpChoice& choice(Unary op) { return unary_ops[static_cast<std::size_t>(op)]; }
const OpChoice& choice(Binary op) { return binary_ops[static_cast<std::size_t>(op)]; }

std::optional<Opcode> opcode_for(const OpChoice& choice, DType dtype) {
  if (is_float(dtype)) return choice.on_floats;
  return info(dtype).is_signed ? choice.on_signed : choice.on_unsigned;
}

bool is_exponential(Opcode code) { return code == Opcode::exp || code == Opcode::tanh; }

/// Whether the IR knows this rounding of this op for this element type.
bool rounding_allowed(Opcode code, rounding asked, DType dtype) {
  if (asked == rounding::standard) return true;
  if (asked == rounding::nearest_away) return false;
  const bool fast = asked == rounding::approx || asked == rounding::full;
  if (is_exponential(code)) {
    return asked == rounding::full || (asked == rounding::approx && dtype == DType::f32);
  }
  if (!fast) return true;
  if (dtype != DType::f32) return false;
  return code == Opcode::divf || (code == Opcode::sqrt && asked == rounding::approx);
}

/// Finishes a float op with the options it takes; complains about those it does not.
ir::Value float_result(Trace& trace, Opcode code, Takes takes, std::span<const ir::Value> operands,
                       DType dtype, const Shape& shape, const FloatOptions& options,
                       std::string_view name, Location where) {
  const bool takes_rounding = takes == Takes::rounding || takes == Takes::rounding_and_flush;
  const bool takes_flush = takes == Takes::flush || takes == Takes::rounding_and_flush;
  const bool is_min_max = code == Opcode::minf || code == Opcode::maxf;
  if (options.rounding != rounding::standard &&
      (!takes_rounding || !rounding_allowed(code, options.rounding, dtype))) {
    trace.error(fmt::format("{} has no such rounding for {}", name, info(dtype).name), where);
  }
  if (options.ftz && (!takes_flush || dtype != DType::f32)) {
    trace.error(fmt::format("{} cannot flush denormals of {}", name, info(dtype).name), where);
  }
  if (options.propagate_nan && !is_min_max) {
    trace.error(fmt::format("{} has no option propagate_nan", name), where);
  }
  ir::Builder& builder = trace.at(where);
  ir::OpDraft draft(code, builder.location());
  for (const ir::Value operand : operands) draft.operand(operand);
  if (takes_rounding) {
    const bool exponential = is_exponential(code);
    draft.set(AttributeName::rounding,
              rounding_mode(options.rounding,
                            exponential ? ir::RoundingMode::full : ir::RoundingMode::nearest_even));
  }
  if (options.ftz && takes_flush) draft.set(AttributeName::flush_to_zero, std::int64_t{1});
  if (options.propagate_nan && is_min_max) {
    draft.set(AttributeName::propagate_nan, std::int64_t{1});
  }
  return builder.append(draft, {stored_type(dtype, shape)});
}

/// One integer op with the signedness and rounding that it takes.
ir::Value integer_op(ir::Builder& builder, Opcode code, ir::Value a, ir::Value b,
                     ir::Signedness sign, ir::RoundingMode division = ir::RoundingMode::zero) {
  ir::OpDraft draft(code, builder.location());
  draft.operand(a).operand(b);
  const ir::OpRow& row = ir::row(code);
  if (ir::attribute_index(row, AttributeName::signedness) >= 0) {
    draft.set(AttributeName::signedness, sign);
  }
  if (code == Opcode::divi) draft.set(AttributeName::rounding, division);
  return builder.append(draft, {builder.type(a)});
}

/// Integer code for operands of one type, with the constants that total operations need.
struct IntegerCode {
  ir::Builder& builder;
  DType dtype;
  Shape shape;  // as stored

  [[nodiscard]] ir::Value number(std::int64_t value) const {
    const auto bits = info(element_kind(dtype)).bits;
    const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    return builder.constant(element_kind(dtype), static_cast<std::uint64_t>(value) & mask, shape);
  }
  [[nodiscard]] ir::Value op(Opcode code, ir::Value a, ir::Value b) const {
    return integer_op(builder, code, a, b, signedness(dtype));
  }
  [[nodiscard]] ir::Value equal(ir::Value a, ir::Value b) const {
    return builder.compare_int(ir::ComparisonPredicate::equal, a, b, signedness(dtype));
  }
  [[nodiscard]] ir::Value less(ir::Value a, ir::Value b) const {
    return builder.compare_int(ir::ComparisonPredicate::less_than, a, b, signedness(dtype));
  }
  [[nodiscard]] ir::Value both(ir::Value a, ir::Value b) const {
    return builder.simple(Opcode::andi, builder.type(a), {a, b});
  }

  /// a / b, where a / 0 is 0 and MIN / -1 wraps.
  [[nodiscard]] ir::Value divide(ir::Value a, ir::Value b, ir::RoundingMode mode) const {
    const ir::Value zero = number(0);
    const ir::Value one = number(1);
    const ir::Value by_zero = equal(b, zero);
    ir::Value safe = builder.select(by_zero, one, b);
    if (!info(dtype).is_signed) {
      const ir::Value quotient =
          integer_op(builder, Opcode::divi, a, safe, ir::Signedness::unsigned_, mode);
      return builder.select(by_zero, zero, quotient);
    }
    const ir::Value negates = equal(b, number(-1));
    safe = builder.select(negates, one, safe);
    const ir::Value quotient =
        integer_op(builder, Opcode::divi, a, safe, ir::Signedness::signed_, mode);
    const ir::Value negated = op(Opcode::subi, zero, a);
    return builder.select(by_zero, zero, builder.select(negates, negated, quotient));
  }

  /// a % b with the sign of a, where a % 0 is a and MIN % -1 is 0.
  [[nodiscard]] ir::Value remainder(ir::Value a, ir::Value b) const {
    const ir::Value zero = number(0);
    const ir::Value by_zero = equal(b, zero);
    ir::Value safe = builder.select(by_zero, number(1), b);
    if (info(dtype).is_signed) safe = builder.select(equal(b, number(-1)), number(1), safe);
    return builder.select(by_zero, a, op(Opcode::remi, a, safe));
  }

  /// a modulo b with the sign of b.
  [[nodiscard]] ir::Value floor_remainder(ir::Value a, ir::Value b) const {
    const ir::Value rest = remainder(a, b);
    if (!info(dtype).is_signed) return rest;
    const ir::Value zero = number(0);
    const ir::Value differs = builder.simple(Opcode::xori, builder.type(less(rest, zero)),
                                             {less(rest, zero), less(b, zero)});
    const ir::Value nonzero =
        builder.compare_int(ir::ComparisonPredicate::not_equal, rest, zero, signedness(dtype));
    const ir::Value defined =
        builder.compare_int(ir::ComparisonPredicate::not_equal, b, zero, signedness(dtype));
    const ir::Value adjust = both(both(differs, nonzero), defined);
    return builder.select(adjust, op(Opcode::addi, rest, b), rest);
  }

  /// The upper half of a * b. The IR reads both factors as unsigned: each negative one adds the
  /// other to it.
  [[nodiscard]] ir::Value high_product(ir::Value a, ir::Value b) const {
    const ir::Value high = op(Opcode::mulhii, a, b);
    if (!info(dtype).is_signed) return high;
    const ir::Value zero = number(0);
    const ir::Value excess_b = builder.select(less(a, zero), b, zero);
    const ir::Value excess_a = builder.select(less(b, zero), a, zero);
    return op(Opcode::subi, op(Opcode::subi, high, excess_b), excess_a);
  }

  /// An amount of a shift, modulo the width.
  [[nodiscard]] ir::Value amount(ir::Value b) const {
    return op(Opcode::andi, b, number(info(element_kind(dtype)).bits - 1));
  }
};

ir::Value integer_result(Trace& trace, Binary op, Opcode code, ir::Value a, ir::Value b,
                         DType dtype, const Shape& shape, Location where) {
  ir::Builder& builder = trace.at(where);
  const IntegerCode integer{builder, dtype, stored_shape(shape)};
  switch (op) {
    case Binary::div:
      return integer.divide(a, b, ir::RoundingMode::zero);
    case Binary::floor_div:
      return integer.divide(
          a, b, info(dtype).is_signed ? ir::RoundingMode::negative_inf : ir::RoundingMode::zero);
    case Binary::ceil_div:
      return integer.divide(a, b, ir::RoundingMode::positive_inf);
    case Binary::rem:
      return integer.remainder(a, b);
    case Binary::floor_mod:
      return integer.floor_remainder(a, b);
    case Binary::mul_high:
      return integer.high_product(a, b);
    case Binary::shl:
    case Binary::shr:
      return integer.op(code, a, integer.amount(b));
    default:
      return integer.op(code, a, b);
  }
}

/// Arithmetic on truth values follows the bits: only logic makes sense.
bool allowed_on_bool(Binary op) {
  return op == Binary::and_ || op == Binary::or_ || op == Binary::xor_;
}

void takes_no_options(Trace& trace, std::string_view name, const FloatOptions& options,
                      Location where) {
  if (options.rounding == rounding::standard && !options.ftz && !options.propagate_nan) return;
  trace.error(fmt::format("{} of integers has no options", name), where);
}

/// Both operands stretched to their common shape.
struct Aligned {
  ir::Value a;
  ir::Value b;
  Shape shape;
};

std::optional<Aligned> align(Trace& trace, const TileRef& a, const TileRef& b, Location where) {
  std::optional<Shape> shape = broadcast_shape(a.shape, b.shape);
  if (!shape) {
    trace.error(fmt::format("tile shapes {} and {} do not broadcast", to_string(a.shape),
                            to_string(b.shape)),
                where);
    return std::nullopt;
  }
  const TileRef left = broadcast(a, *shape, where);
  const TileRef right = broadcast(b, *shape, where);
  return Aligned{ir::Value{left.value}, ir::Value{right.value}, std::move(*shape)};
}

/// The shape that a failed binary operation pretends to have.
Shape pretended(const TileRef& a, const TileRef& b) {
  return a.shape.size() >= b.shape.size() ? a.shape : b.shape;
}

ir::Value logical_not(ir::Builder& builder, ir::Value x, DType dtype, const Shape& shape) {
  const auto bits = info(element_kind(dtype)).bits;
  const std::uint64_t ones = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const ir::Value mask = builder.constant(element_kind(dtype), ones, stored_shape(shape));
  return builder.simple(Opcode::xori, builder.type(x), {x, mask});
}

}  // namespace

TileRef unary(Unary op, const TileRef& x, const FloatOptions& options, Location where) {
  Trace& trace = Trace::current(where);
  const ir::Value value = trace.use(x, where);
  if (op == Unary::not_ && !is_float(x.dtype)) {
    return trace.make(logical_not(trace.at(where), value, x.dtype, x.shape), x.dtype, x.shape,
                      where);
  }
  if (op == Unary::abs && !is_float(x.dtype) && !info(x.dtype).is_signed &&
      x.dtype != DType::boolean) {
    return x;  // an unsigned number is its own magnitude
  }
  const OpChoice& row = choice(op);
  const std::optional<Opcode> code = opcode_for(row, x.dtype);
  if (!code || !computes(x.dtype) || x.dtype == DType::boolean) {
    not_defined(trace, row.name, x.dtype, where);
    return trace.poison(x.dtype, x.shape, where);
  }
  if (is_float(x.dtype)) {
    return trace.make(float_result(trace, *code, row.takes, std::array{value}, x.dtype, x.shape,
                                   options, row.name, where),
                      x.dtype, x.shape, where);
  }
  takes_no_options(trace, row.name, options, where);
  return trace.make(trace.at(where).simple(*code, stored_type(x.dtype, x.shape), {value}), x.dtype,
                    x.shape, where);
}

TileRef binary(Binary op, const TileRef& a, const TileRef& b, const FloatOptions& options,
               Location where) {
  Trace& trace = Trace::current(where);
  const OpChoice& row = choice(op);
  const std::optional<Opcode> code = opcode_for(row, a.dtype);
  if (!code || !computes(a.dtype) || (a.dtype == DType::boolean && !allowed_on_bool(op))) {
    not_defined(trace, row.name, a.dtype, where);
    return trace.poison(a.dtype, pretended(a, b), where);
  }
  const std::optional<Aligned> operands = align(trace, a, b, where);
  if (!operands) return trace.poison(a.dtype, pretended(a, b), where);
  if (is_float(a.dtype)) {
    return trace.make(float_result(trace, *code, row.takes, std::array{operands->a, operands->b},
                                   a.dtype, operands->shape, options, row.name, where),
                      a.dtype, operands->shape, where);
  }
  takes_no_options(trace, row.name, options, where);
  if (code == Opcode::divi) trace.refuse_in_combiner("a division of integers", where);
  return trace.make(
      integer_result(trace, op, *code, operands->a, operands->b, a.dtype, operands->shape, where),
      a.dtype, operands->shape, where);
}

TileRef fma(const TileRef& a, const TileRef& b, const TileRef& c, const FloatOptions& options,
            Location where) {
  Trace& trace = Trace::current(where);
  if (!is_float(a.dtype) || !computes(a.dtype)) {
    not_defined(trace, "fma", a.dtype, where);
    return trace.poison(a.dtype, pretended(a, c), where);
  }
  const std::optional<Aligned> factors = align(trace, a, b, where);
  if (!factors) return trace.poison(a.dtype, pretended(a, b), where);
  const std::optional<Shape> shape = broadcast_shape(factors->shape, c.shape);
  if (!shape) {
    trace.error(fmt::format("tile shapes {} and {} do not broadcast", to_string(factors->shape),
                            to_string(c.shape)),
                where);
    return trace.poison(a.dtype, factors->shape, where);
  }
  const std::array operands{ir::Value{broadcast(a, *shape, where).value},
                            ir::Value{broadcast(b, *shape, where).value},
                            ir::Value{broadcast(c, *shape, where).value}};
  return trace.make(float_result(trace, Opcode::fma, Takes::rounding_and_flush, operands, a.dtype,
                                 *shape, options, "fma", where),
                    a.dtype, *shape, where);
}

TileRef compare(Compare op, const TileRef& a, const TileRef& b, Location where) {
  static constexpr ir::ComparisonPredicate predicates[] = {
      ir::ComparisonPredicate::equal,        ir::ComparisonPredicate::not_equal,
      ir::ComparisonPredicate::less_than,    ir::ComparisonPredicate::less_than_or_equal,
      ir::ComparisonPredicate::greater_than, ir::ComparisonPredicate::greater_than_or_equal,
  };
  Trace& trace = Trace::current(where);
  if (!computes(a.dtype)) {
    not_defined(trace, "a comparison", a.dtype, where);
    return trace.poison(DType::boolean, pretended(a, b), where);
  }
  const std::optional<Aligned> operands = align(trace, a, b, where);
  if (!operands) return trace.poison(DType::boolean, pretended(a, b), where);
  const ir::ComparisonPredicate predicate = predicates[static_cast<std::size_t>(op)];
  ir::Builder& builder = trace.at(where);
  // NaN differs from everything, itself included; every other comparison with it is false.
  const auto ordering =
      op == Compare::ne ? ir::ComparisonOrdering::unordered : ir::ComparisonOrdering::ordered;
  const ir::Value result =
      is_float(a.dtype)
          ? builder.compare_float(predicate, operands->a, operands->b, ordering)
          : builder.compare_int(predicate, operands->a, operands->b, signedness(a.dtype));
  return trace.make(result, DType::boolean, operands->shape, where);
}

TileRef is_nan(const TileRef& x, Location where) {
  if (!is_float(x.dtype)) {
    Trace& trace = Trace::current(where);
    not_defined(trace, "isnan", x.dtype, where);
    return trace.poison(DType::boolean, x.shape, where);
  }
  return compare(Compare::ne, x, x, where);
}

TileRef where(const TileRef& condition, const TileRef& if_true, const TileRef& if_false,
              Location line) {
  Trace& trace = Trace::current(line);
  const std::optional<Shape> values = broadcast_shape(if_true.shape, if_false.shape);
  const std::optional<Shape> shape =
      values ? broadcast_shape(condition.shape, *values) : std::nullopt;
  if (!shape) {
    trace.error(
        fmt::format("where: shapes {}, {} and {} do not broadcast", to_string(condition.shape),
                    to_string(if_true.shape), to_string(if_false.shape)),
        line);
    return trace.poison(if_true.dtype, pretended(if_true, if_false), line);
  }
  if (if_true.dtype == DType::f4e2m1) {
    not_defined(trace, "where", if_true.dtype, line);
    return trace.poison(if_true.dtype, *shape, line);
  }
  const ir::Value c{broadcast(condition, *shape, line).value};
  const ir::Value t{broadcast(if_true, *shape, line).value};
  const ir::Value f{broadcast(if_false, *shape, line).value};
  return trace.make(trace.at(line).select(c, t, f), if_true.dtype, *shape, line);
}

}  // namespace tw::inline v0::detail
