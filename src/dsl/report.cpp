// SPDX-License-Identifier: Apache-2.0
#include "dsl/trace.hpp"

namespace tw::inline v0::detail {

using ir::AttributeName;
using ir::Opcode;

void print(const char* format, std::span<const TileRef> values, Location where) {
  Trace& trace = Trace::current(where);
  std::vector<ir::Value> operands;
  for (const TileRef& value : values) operands.push_back(trace.use(value, where));
  ir::Builder& builder = trace.at(where);
  const std::int64_t site =
      trace.add_site({.location = builder.location(), .kind = "print", .text = format});
  ir::OpDraft draft(Opcode::print, builder.location());
  draft.group(operands).set(AttributeName::site, site);
  builder.append(draft, {});
}

void check(const TileRef& condition, const char* message, Location where) {
  Trace& trace = Trace::current(where);
  TileRef holds = condition;
  for (std::size_t axis = 0; axis < condition.shape.size(); ++axis) {
    holds = trace.make(masked(trace, holds, axis, 1, where), DType::boolean, holds.shape, where);
  }
  ir::Builder& builder = trace.at(where);
  const ir::Value nothing = builder.constant(ElementKind::i32, 0, stored_shape(condition.shape));
  trace.check_bounds({.kind = "check", .text = message}, ir::Value{holds.value}, nothing,
                     builder.integer(ElementKind::i32, 0), where);
}

namespace {

TileRef assume(const TileRef& x, ir::AssumePredicate predicate, Location where) {
  Trace& trace = Trace::current(where);
  const ir::Value value = trace.use(x, where);
  ir::Builder& builder = trace.at(where);
  ir::OpDraft draft(Opcode::assume, builder.location());
  draft.operand(value).set(AttributeName::predicate, std::move(predicate));
  return trace.make(builder.append(draft, {builder.type(value)}), x.dtype, x.shape, where);
}

}  // namespace

TileRef assume_divisible(const TileRef& x, std::int64_t divisor, Location where) {
  return assume(x, ir::DivBy{static_cast<std::uint64_t>(divisor)}, where);
}

TileRef assume_bounded(const TileRef& x, std::int64_t lower, std::int64_t upper, Location where) {
  return assume(x, ir::Bounded{lower, upper}, where);
}

}  // namespace tw::inline v0::detail
