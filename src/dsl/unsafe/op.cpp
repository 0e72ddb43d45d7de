// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include <tilewright/dsl/unsafe/op.hpp>

#include "dsl/access.hpp"

namespace tw::inline v0::unsafe::detail {

using tw::detail::Trace;

namespace {

bool is_given(const TileRef& ref) { return ref.trace != 0; }

/// The value of a tile whose extents are those of the IR: of any other shape, further lanes hold
/// anything, and nothing here masks them.
ir::Value raw(Trace& trace, Opcode code, const TileRef& ref, Location where) {
  if (!tw::detail::is_stored(ref.shape)) {
    trace.error(fmt::format("unsafe: {} of a tile of shape {}: the extents must be powers of two, "
                            "as in {}",
                            ir::row(code).name, to_string(ref.shape),
                            to_string(tw::detail::stored_shape(ref.shape))),
                where);
  }
  return trace.use(ref, where);
}

}  // namespace

Result numbers(DType dtype, const Shape& shape) {
  return {tw::detail::stored_type(dtype, shape), dtype, shape};
}

Result pointers(DType pointee, const Shape& shape) {
  return {ir::pointer_tile_type(element_kind(pointee), tw::detail::stored_shape(shape)), pointee,
          shape};
}

Result token() { return {ir::token_type()}; }

Op::Op(Opcode code, Location where)
    : trace_(Trace::current(where)),
      draft_(code, trace_.at(where).location()),
      code_(code),
      where_(where) {
  trace_.must_verify();
}

Shape Op::joined(const TileRef& a, const TileRef& b) {
  if (const auto shape = tw::detail::broadcast_shape(a.shape, b.shape)) return *shape;
  trace_.error(fmt::format("unsafe: {} of shapes {} and {}, which do not broadcast",
                           ir::row(code_).name, to_string(a.shape), to_string(b.shape)),
               where_);
  return a.shape;
}

Op& Op::operand(const TileRef& ref) {
  draft_.optional(is_given(ref) ? raw(trace_, code_, ref, where_) : ir::Value());
  return *this;
}

Op& Op::operand(const TileRef& ref, const Shape& shape) {
  if (!is_given(ref) || ref.shape == shape) return operand(ref);
  const auto joined = tw::detail::broadcast_shape(ref.shape, shape);
  if (joined && *joined == shape) {
    return operand(tw::detail::broadcast(ref, shape, where_));
  }
  trace_.error(fmt::format("unsafe: {} of shape {} takes no operand of shape {}",
                           ir::row(code_).name, to_string(shape), to_string(ref.shape)),
               where_);
  return operand(trace_.poison(ref.dtype, shape, where_));
}

Op& Op::group(std::span<const TileRef> refs) {
  std::vector<ir::Value> values;
  for (const TileRef& ref : refs) values.push_back(raw(trace_, code_, ref, where_));
  draft_.group(values);
  return *this;
}

Op& Op::group(std::span<const Integer> integers, bool wide) {
  wide |= std::ranges::any_of(integers, &Integer::is_wide);
  const DType dtype = wide ? DType::int64 : DType::int32;
  std::vector<TileRef> refs;
  for (const Integer& each : integers) {
    refs.push_back(each.known()
                       ? tw::detail::constant(*each.known(), dtype, where_)
                       : tw::detail::convert(each.ref(), dtype, rounding::standard, where_));
  }
  return group(refs);
}

Op& Op::set(AttributeName name, ir::Attribute value) {
  draft_.set(name, std::move(value));
  return *this;
}

Op& Op::order(MemoryOrdering ordering, MemoryScope scope) {
  const ir::OpRow& row = ir::row(code_);
  const int index = ir::attribute_index(row, AttributeName::memory_scope);
  const bool scoped = !row.attributes[static_cast<std::size_t>(index)].optional;
  if (scoped || ordering != MemoryOrdering::weak) set(AttributeName::memory_scope, scope);
  return set(AttributeName::memory_ordering, ordering);
}

Op& Op::hints(const AccessHints& hints) {
  ir::Hints given = tw::detail::ir_hints(trace_, hints, where_);
  return given.empty() ? *this : set(AttributeName::optimization_hints, std::move(given));
}

Result Op::like(const TileRef& ref) {
  if (ref.trace != trace_.number()) {
    throw KernelError("this view belongs to another kernel", where_);
  }
  return {trace_.function().type(ir::Value{ref.value}), ref.dtype, ref.shape};
}

Result Op::tile_of(const TileRef& view) {
  return numbers(view.dtype, ir::view_tile(like(view).type));
}

std::vector<TileRef> Op::give(std::span<const Result> results) {
  std::vector<ir::Type> types;
  for (const Result& each : results) types.push_back(each.type);
  const ir::Op& op = trace_.at(where_).append(draft_.finish(trace_.function(), types));
  std::vector<TileRef> refs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    refs.push_back(trace_.make(op.results[i], results[i].dtype, results[i].shape, where_));
  }
  return refs;
}

}  // namespace tw::inline v0::unsafe::detail
