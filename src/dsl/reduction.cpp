// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <tilewright/core/float_conversion.hpp>

#include "dsl/trace.hpp"

namespace tw::inline v0::detail {
namespace {

using ir::AttributeName;
using ir::Opcode;

/// The number that leaves every other one unchanged.
std::optional<std::uint64_t> identity_bits(Binary combiner, DType dtype) {
  const ElementKind kind = element_kind(dtype);
  const auto bits = info(kind).bits;
  const std::uint64_t ones = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  const bool is_signed = info(dtype).is_signed;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_float(dtype)) {
    switch (combiner) {
      case Binary::add:
        return 0;
      case Binary::mul:
        return numeric::encode(1, kind);
      case Binary::min:
        return numeric::encode(infinity, kind);
      case Binary::max:
        return numeric::encode(-infinity, kind);
      default:
        return std::nullopt;
    }
  }
  switch (combiner) {
    case Binary::add:
    case Binary::or_:
    case Binary::xor_:
      return 0;
    case Binary::mul:
      return 1;
    case Binary::and_:
      return ones;
    case Binary::min:
      return is_signed ? ones ^ top : ones;
    case Binary::max:
      return is_signed ? top : 0;
    default:
      return std::nullopt;
  }
}

bool same_shapes(Trace& trace, std::string_view name, std::span<const TileRef> xs, Location where) {
  for (const TileRef& x : xs) {
    if (x.shape != xs.front().shape) {
      trace.error(fmt::format("{}: tiles of shapes {} and {} are taken together", name,
                              to_string(xs.front().shape), to_string(x.shape)),
                  where);
      return false;
    }
  }
  return true;
}

/// The region of a combiner; closed also when an exception leaves the combiner, as `block` goes
/// then.
class CombinerRegion {
 public:
  CombinerRegion(Trace& trace, ir::Block& block, Location where)
      : trace_(trace), number_(trace.open_region(block, RegionKind::combiner, where)) {}
  ~CombinerRegion() { trace_.abandon_region(number_); }
  CombinerRegion(const CombinerRegion&) = delete;
  CombinerRegion& operator=(const CombinerRegion&) = delete;

  void close() const { trace_.close_region(number_); }

 private:
  Trace& trace_;
  std::uint32_t number_;
};

/// Traces the combiner into a block of scalars. Block arguments come in pairs (element,
/// accumulator).
ir::Block combiner_block(Trace& trace, std::span<const TileRef> xs, Combiner combiner,
                         Location where) {
  ir::Block block;
  std::vector<TileRef> elements(xs.size());
  std::vector<TileRef> accumulators(xs.size());
  std::vector<TileRef> results(xs.size());
  const std::vector<std::uint32_t> variables = trace.variables();
  std::vector<TileRef> before;
  for (const std::uint32_t variable : variables) before.push_back(*trace.slots().tile(variable));

  trace.refuse_in_combiner("a reduction or scan", where);
  const CombinerRegion region(trace, block, where);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const ir::Type scalar = stored_type(xs[i].dtype, {});
    for (TileRef* argument : {&elements[i], &accumulators[i]}) {
      const ir::Value value = trace.function().fresh(scalar);
      block.arguments.push_back(value);
      *argument = trace.make(value, xs[i].dtype, {}, where);
    }
  }
  combiner.call(combiner.context, accumulators.data(), elements.data(), results.data());
  ir::OpDraft yield(Opcode::yield, trace.at(where).location());
  std::vector<ir::Value> yielded;
  for (const TileRef& result : results) yielded.push_back(trace.use(result, where));
  yield.group(yielded);
  trace.at(where).append(yield, {});
  region.close();

  for (std::size_t i = 0; i < variables.size(); ++i) {
    TileRef* now = trace.slots().tile(variables[i]);
    if (now == nullptr || now->value == before[i].value) continue;
    trace.error("a combiner must not assign a variable from outside", now->where);
    *now = before[i];
  }
  return block;
}

/// The operands of a reduction or scan, their padding replaced by the identities.
std::vector<ir::Value> neutral_operands(Trace& trace, std::span<const TileRef> xs,
                                        const ir::ScalarArray& identities, std::size_t axis,
                                        Location where) {
  std::vector<ir::Value> operands;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    operands.push_back(masked(trace, xs[i], axis, identities[i].bits, where));
  }
  return operands;
}

/// Emits the op; the IR's reduce drops the axis, which the language keeps as one.
void emit(Trace& trace, Opcode code, std::span<const TileRef> xs, ir::ScalarArray identities,
          int axis, bool reverse, ir::Block body, TileRef* results, Location where) {
  const auto along = static_cast<std::size_t>(axis);
  const std::vector<ir::Value> operands = neutral_operands(trace, xs, identities, along, where);
  ir::Builder& builder = trace.at(where);
  ir::OpDraft draft(code, builder.location());
  draft.group(operands)
      .set(AttributeName::dim, std::int64_t{axis})
      .set(AttributeName::identities, std::move(identities))
      .region(std::move(body));
  const bool reduces = code == Opcode::reduce;
  if (!reduces) draft.set(AttributeName::reverse, std::int64_t{reverse});
  Shape shape = xs.front().shape;
  Shape dropped = shape;
  if (reduces) {
    shape[along] = 1;
    dropped.erase(along);
  }
  std::vector<ir::Type> types;
  for (const TileRef& x : xs) types.push_back(stored_type(x.dtype, dropped));
  const ir::Op& op = builder.append(draft.finish(builder.function(), types));
  const auto values = op.results;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const ir::Value value = reduces ? builder.reshape(values[i], stored_shape(shape)) : values[i];
    results[i] = trace.make(value, xs[i].dtype, shape, where);
  }
}

void combine(Opcode code, std::string_view name, std::span<const TileRef> xs,
             std::span<const Number> numbers, int axis, bool reverse, Combiner combiner,
             TileRef* results, Location where) {
  Trace& trace = Trace::current(where);
  if (!same_shapes(trace, name, xs, where)) {
    Shape shape = xs.front().shape;
    if (code == Opcode::reduce) shape[static_cast<std::size_t>(axis)] = 1;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      results[i] = trace.poison(xs[i].dtype, shape, where);
    }
    return;
  }
  ir::ScalarArray identities;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    identities.push_back(
        {element_kind(xs[i].dtype), number_bits(trace, numbers[i], xs[i].dtype, where)});
  }
  ir::Block body = combiner_block(trace, xs, combiner, where);
  emit(trace, code, xs, std::move(identities), axis, reverse, std::move(body), results, where);
}

/// What a named reduction carries through the type-erased combiner.
struct Named {
  Binary op;
  FloatOptions options;
  Location where;

  static void call(void* context, const TileRef* accumulators, const TileRef* elements,
                   TileRef* results) {
    const Named& named = *static_cast<Named*>(context);
    results[0] = binary(named.op, accumulators[0], elements[0], named.options, named.where);
  }
};

}  // namespace

TileRef reduce(Binary combiner, const TileRef& x, int axis, const FloatOptions& options,
               Location where) {
  Trace& trace = Trace::current(where);
  Shape shape = x.shape;
  shape[static_cast<std::size_t>(axis)] = 1;
  const std::optional<std::uint64_t> identity = identity_bits(combiner, x.dtype);
  if (!identity) {
    trace.error(fmt::format("this reduction is not defined on tiles of {}", info(x.dtype).name),
                where);
    return trace.poison(x.dtype, shape, where);
  }
  Named named{combiner, options, where};
  const std::span<const TileRef> xs(&x, 1);
  ir::Block body = combiner_block(trace, xs, {&named, Named::call}, where);
  TileRef result;
  emit(trace, Opcode::reduce, xs, {{element_kind(x.dtype), *identity}}, axis, false,
       std::move(body), &result, where);
  return result;
}

void reduce(std::span<const TileRef> xs, std::span<const Number> identities, int axis,
            Combiner combiner, TileRef* results, Location where) {
  combine(Opcode::reduce, "reduce", xs, identities, axis, false, combiner, results, where);
}

void scan(std::span<const TileRef> xs, std::span<const Number> identities, int axis, bool reverse,
          Combiner combiner, TileRef* results, Location where) {
  combine(Opcode::scan, "scan", xs, identities, axis, reverse, combiner, results, where);
}

}  // namespace tw::inline v0::detail
