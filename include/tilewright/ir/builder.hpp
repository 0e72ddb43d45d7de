// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>

namespace tw::inline v0::ir {

/// Describes one op before it exists: operands group by group, attributes by name, results by type.
///
///     Op op = OpDraft(Opcode::addf, location).operand(a).operand(b)
///                 .set(AttributeName::rounding, RoundingMode::nearest_even).finish(function,
///                 {type});
///
/// `finish` fills required attributes from their defaults and throws BugError when one is missing
/// or when the operands do not match the op's row.
class TILEWRIGHT_API OpDraft {
 public:
  explicit OpDraft(Opcode code, LocationId location = LocationId::unknown);

  /// The single operand of the next group.
  OpDraft& operand(Value value);
  /// The operand of the next group if it is a value; leaves an optional group empty otherwise.
  OpDraft& optional(Value value);
  /// All operands of the next, variadic, group.
  OpDraft& group(std::span<const Value> values);
  OpDraft& group(std::initializer_list<Value> values);

  OpDraft& set(AttributeName name, Attribute value);
  template <class Enum>
    requires std::is_enum_v<Enum>
  OpDraft& set(AttributeName name, Enum value) {
    return set(name, Attribute(static_cast<std::int64_t>(value)));
  }
  OpDraft& region(Block block);

  [[nodiscard]] Op finish(Function& function, std::span<const Type> results);
  [[nodiscard]] Op finish(Function& function, std::initializer_list<Type> results);

 private:
  Op op_;
  std::size_t next_group_ = 0;
};

/// Appends ops to the innermost open block of one function, with result types inferred.
///
/// Only well-formed operands may be given: a mistake here is a BugError, not a diagnostic. Ops
/// without a method of their own go through `OpDraft` and `append`.
class TILEWRIGHT_API Builder {
 public:
  explicit Builder(Function& function);

  [[nodiscard]] Function& function() noexcept { return *function_; }
  void at(LocationId location) noexcept { location_ = location; }
  [[nodiscard]] LocationId location() const noexcept { return location_; }

  /// Redirects appending into `block` until the matching `leave`; blocks nest.
  void enter(Block& block);
  void leave();
  [[nodiscard]] Block& block() noexcept { return *blocks_.back(); }
  [[nodiscard]] std::size_t depth() const noexcept { return blocks_.size(); }

  Op& append(Op op);
  /// Finishes the draft at the current location and returns its first result (no value if none).
  Value append(OpDraft& draft, std::initializer_list<Type> results);
  Value append(OpDraft&& draft, std::initializer_list<Type> results) {
    return append(draft, results);
  }

  Value constant(ElementKind kind, std::uint64_t bits, Shape shape = {});
  /// A rank-0 integer of 1 to 64 bits.
  Value integer(ElementKind kind, std::int64_t value);
  /// Any op of one result and operands of one group each, with no attribute that lacks a default.
  Value simple(Opcode code, Type result, std::initializer_list<Value> operands);

  Value broadcast(Value value, const Shape& shape);  ///< same rank; stretches axes of one
  Value reshape(Value value, const Shape& shape);
  /// Rank-0 values become tiles of `shape`: reshape to ones, then broadcast.
  Value spread(Value value, const Shape& shape);
  Value compare_int(ComparisonPredicate predicate, Value a, Value b, Signedness signedness);
  Value compare_float(ComparisonPredicate predicate, Value a, Value b, ComparisonOrdering ordering);
  Value select(Value condition, Value if_true, Value if_false);
  Value float_op(Opcode code, Value a, Value b, RoundingMode rounding, bool flush_to_zero);
  std::array<Value, 3> block_ids();
  std::array<Value, 3> block_counts();
  Value tensor_view(Value base, const TensorViewType& type, std::span<const Value> shape,
                    std::span<const Value> strides);
  Value view(Opcode make, Value tensor_view, Type type);
  /// The loaded tile; the token result is left unused (token order is a pass).
  Value load_view(Value view, std::span<const Value> index, const Hints& hints = {});
  void store_view(Value tile, Value view, std::span<const Value> index, const Hints& hints = {});
  Value load_pointer(Value pointers, Value mask, Value padding,
                     MemoryOrdering ordering = MemoryOrdering::weak,
                     MemoryScope scope = MemoryScope::device);
  void store_pointer(Value pointers, Value tile, Value mask, MemoryOrdering ordering,
                     MemoryScope scope);

  [[nodiscard]] const Type& type(Value value) const { return function_->type(value); }

 private:
  Function* function_;
  std::vector<Block*> blocks_;
  LocationId location_ = LocationId::unknown;
};

}  // namespace tw::inline v0::ir
