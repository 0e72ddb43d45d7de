// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/builder.hpp>

namespace tw::inline v0::ir {
namespace {

[[noreturn]] void misuse(const Op& op, std::string_view problem) {
  throw BugError(fmt::format("{}: {}", op.row().name, problem), Location::current());
}

/// The next group of the op's row, which must be of a kind that takes this many operands.
void take_group(Op& op, std::size_t index, std::span<const Value> values) {
  const auto groups = op.row().operands;
  if (index >= groups.size()) misuse(op, "too many operand groups");
  const Arity arity = groups[index].arity;
  const bool fits = arity == Arity::variadic || values.size() == 1 ||
                    (arity == Arity::optional && values.empty());
  if (!fits) misuse(op, fmt::format("{} values for operand {}", values.size(), groups[index].name));
  for (const Value value : values) {
    if (!value) misuse(op, fmt::format("no value for operand {}", groups[index].name));
  }
  op.group_sizes[index] = static_cast<std::uint16_t>(values.size());
  op.operands.append(values.begin(), values.end());
}

void fill_attributes(Op& op) {
  op.fill_fallbacks();
  const auto rows = op.row().attributes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_absent = op.attributes[i].empty();
    if (is_absent && !rows[i].optional) {
      misuse(op, fmt::format("{} is missing", attribute_text(rows[i].name)));
    }
  }
}

Type with_shape(const TileType& type, const Shape& shape) {
  return Type(TileType{type.element, shape});
}

std::array<Value, 3> triple(Builder& builder, Opcode code) {
  const Type scalar = tile_type(ElementKind::i32);
  OpDraft draft(code, builder.location());
  const Op& op = builder.append(draft.finish(builder.function(), {scalar, scalar, scalar}));
  return {op.results[0], op.results[1], op.results[2]};
}

Attribute unless_empty(const Hints& hints) {
  return hints.empty() ? Attribute() : Attribute(hints);
}

}  // namespace

OpDraft::OpDraft(Opcode code, LocationId location) {
  op_.code = code;
  op_.location = location;
  op_.attributes.resize(op_.row().attributes.size());
}

OpDraft& OpDraft::operand(Value value) { return group({value}); }

OpDraft& OpDraft::optional(Value value) {
  return value ? group({value}) : group(std::span<const Value>());
}

OpDraft& OpDraft::group(std::span<const Value> values) {
  take_group(op_, next_group_++, values);
  return *this;
}

OpDraft& OpDraft::group(std::initializer_list<Value> values) {
  return group(std::span(values.begin(), values.size()));
}

OpDraft& OpDraft::set(AttributeName name, Attribute value) {
  op_.set(name, std::move(value));
  return *this;
}

OpDraft& OpDraft::region(Block block) {
  op_.regions.push_back(std::move(block));
  return *this;
}

Op OpDraft::finish(Function& function, std::span<const Type> results) {
  const OpRow& row = op_.row();
  for (; next_group_ < row.operands.size(); ++next_group_) take_group(op_, next_group_, {});
  fill_attributes(op_);
  if (op_.code == Opcode::if_ && op_.regions.size() == 1) op_.regions.emplace_back();
  if (op_.regions.size() != row.regions) misuse(op_, "wrong number of regions");
  const bool counted = row.variadic_results || results.size() == row.results;
  if (!counted) misuse(op_, "wrong number of results");
  for (const Type& type : results) op_.results.push_back(function.fresh(type));
  return std::move(op_);
}

Op OpDraft::finish(Function& function, std::initializer_list<Type> results) {
  return finish(function, std::span(results.begin(), results.size()));
}

Builder::Builder(Function& function) : function_(&function), blocks_{&function.body} {}

void Builder::enter(Block& block) { blocks_.push_back(&block); }

void Builder::leave() {
  if (blocks_.size() == 1) {
    throw BugError("a function's own block cannot be left", Location::current());
  }
  blocks_.pop_back();
}

Op& Builder::append(Op op) {
  block().ops.push_back(std::move(op));
  return block().ops.back();
}

Value Builder::append(OpDraft& draft, std::initializer_list<Type> results) {
  Op& op = append(draft.finish(*function_, results));
  op.location = location_;
  return op.results.empty() ? Value{} : op.results.front();
}

Value Builder::constant(ElementKind kind, std::uint64_t bits, Shape shape) {
  return append(OpDraft(Opcode::constant).set(AttributeName::value, splat(kind, bits)),
                {tile_type(kind, std::move(shape))});
}

Value Builder::integer(ElementKind kind, std::int64_t value) {
  return constant(kind, static_cast<std::uint64_t>(value));
}

Value Builder::simple(Opcode code, Type result, std::initializer_list<Value> operands) {
  OpDraft draft(code);
  for (const Value each : operands) draft.operand(each);
  return append(draft, {std::move(result)});
}

Value Builder::broadcast(Value value, const Shape& shape) {
  const TileType& from = type(value).tile();
  if (from.shape == shape) return value;
  return simple(Opcode::broadcast, with_shape(from, shape), {value});
}

Value Builder::reshape(Value value, const Shape& shape) {
  const TileType& from = type(value).tile();
  if (from.shape == shape) return value;
  return simple(Opcode::reshape, with_shape(from, shape), {value});
}

Value Builder::spread(Value value, const Shape& shape) {
  return broadcast(reshape(value, Shape::filled(shape.size(), 1)), shape);
}

Value Builder::compare_int(ComparisonPredicate predicate, Value a, Value b, Signedness signedness) {
  return append(OpDraft(Opcode::cmpi)
                    .operand(a)
                    .operand(b)
                    .set(AttributeName::comparison_predicate, predicate)
                    .set(AttributeName::signedness, signedness),
                {tile_type(ElementKind::i1, type(a).tile().shape)});
}

Value Builder::compare_float(ComparisonPredicate predicate, Value a, Value b,
                             ComparisonOrdering ordering) {
  return append(OpDraft(Opcode::cmpf)
                    .operand(a)
                    .operand(b)
                    .set(AttributeName::comparison_predicate, predicate)
                    .set(AttributeName::comparison_ordering, ordering),
                {tile_type(ElementKind::i1, type(a).tile().shape)});
}

Value Builder::select(Value condition, Value if_true, Value if_false) {
  return simple(Opcode::select, type(if_true), {condition, if_true, if_false});
}

Value Builder::float_op(Opcode code, Value a, Value b, RoundingMode rounding, bool flush_to_zero) {
  return append(OpDraft(code)
                    .operand(a)
                    .operand(b)
                    .set(AttributeName::rounding, rounding)
                    .set(AttributeName::flush_to_zero, Attribute(flush_to_zero)),
                {type(a)});
}

std::array<Value, 3> Builder::block_ids() { return triple(*this, Opcode::get_tile_block_id); }

std::array<Value, 3> Builder::block_counts() { return triple(*this, Opcode::get_num_tile_blocks); }

Value Builder::tensor_view(Value base, const TensorViewType& type, std::span<const Value> shape,
                           std::span<const Value> strides) {
  return append(OpDraft(Opcode::make_tensor_view).operand(base).group(shape).group(strides),
                {Type(type)});
}

Value Builder::view(Opcode make, Value tensor_view, Type type) {
  return simple(make, std::move(type), {tensor_view});
}

Value Builder::load_view(Value view, std::span<const Value> index, const Hints& hints) {
  return append(OpDraft(Opcode::load_view_tko)
                    .operand(view)
                    .group(index)
                    .set(AttributeName::memory_ordering, MemoryOrdering::weak)
                    .set(AttributeName::optimization_hints, unless_empty(hints)),
                {loaded_type(type(view)), token_type()});
}

void Builder::store_view(Value tile, Value view, std::span<const Value> index, const Hints& hints) {
  append(OpDraft(Opcode::store_view_tko)
             .operand(tile)
             .operand(view)
             .group(index)
             .set(AttributeName::memory_ordering, MemoryOrdering::weak)
             .set(AttributeName::optimization_hints, unless_empty(hints)),
         {token_type()});
}

Value Builder::load_pointer(Value pointers, Value mask, Value padding, MemoryOrdering ordering,
                            MemoryScope scope) {
  const TileType& from = type(pointers).tile();
  OpDraft draft(Opcode::load_ptr_tko);
  draft.operand(pointers).optional(mask).optional(padding);
  draft.set(AttributeName::memory_ordering, ordering);
  if (ordering != MemoryOrdering::weak) draft.set(AttributeName::memory_scope, scope);
  return append(draft, {tile_type(from.kind(), from.shape), token_type()});
}

void Builder::store_pointer(Value pointers, Value tile, Value mask, MemoryOrdering ordering,
                            MemoryScope scope) {
  OpDraft draft(Opcode::store_ptr_tko);
  draft.operand(pointers).operand(tile).optional(mask);
  draft.set(AttributeName::memory_ordering, ordering);
  if (ordering != MemoryOrdering::weak) draft.set(AttributeName::memory_scope, scope);
  append(draft, {token_type()});
}

}  // namespace tw::inline v0::ir
