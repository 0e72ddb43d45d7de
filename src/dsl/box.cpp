// SPDX-License-Identifier: Apache-2.0
#include "dsl/box.hpp"

#include <utility>

#include <fmt/format.h>

#include "dsl/access.hpp"

namespace tw::inline v0::detail {
namespace {

using ir::AbiKind;
using ir::Opcode;

thread_local Boxes* active_boxes = nullptr;

}  // namespace

Boxes::Boxes(Trace& trace, const Specialisation& specialisation, Location kernel_line)
    : trace_(trace),
      specialisation_(specialisation),
      kernel_line_(kernel_line),
      stored_(specialisation.parameters.size()),
      outer_(std::exchange(active_boxes, this)) {}

Boxes::~Boxes() { active_boxes = outer_; }

Boxes& Boxes::current(Location where) {
  if (active_boxes == nullptr) throw KernelError("views only exist inside a kernel", where);
  return *active_boxes;
}

Boxes& Boxes::current() { return *active_boxes; }

ir::Value Boxes::argument(AbiKind kind, int parameter, int axis) const {
  const ir::Kernel& kernel = trace_.kernel();
  for (std::size_t i = 0; i < kernel.abi.size(); ++i) {
    const ir::AbiSlot& slot = kernel.abi[i];
    if (slot.kind == kind && slot.parameter == parameter && slot.axis == axis) {
      return kernel.entry().body.arguments[i];
    }
  }
  return {};
}

BoxRef Boxes::add(Box box) {
  box.region = trace_.region();
  boxes_.push_back(std::move(box));
  return {static_cast<std::uint32_t>(boxes_.size() - 1), trace_.number()};
}

TilingRef Boxes::add(Tiling tiling) {
  tiling.region = trace_.region();
  tilings_.push_back(std::move(tiling));
  return {static_cast<std::uint32_t>(tilings_.size() - 1), trace_.number()};
}

PlaceRef Boxes::add(Place place) {
  places_.push_back(std::move(place));
  return {static_cast<std::uint32_t>(places_.size() - 1), trace_.number()};
}

namespace {

/// Fails unless what a handle names belongs to this kernel.
void require_own(Trace& trace, std::uint32_t its_trace, std::string_view what, Location where) {
  if (its_trace == trace.number()) return;
  trace.fail(fmt::format("this {} belongs to another kernel", what), where);
}

/// Fails where the region that something was made in has ended, and its values with it.
void require_open(Trace& trace, std::uint32_t region, std::string_view what, Location where) {
  if (trace.is_open(region)) return;
  trace.fail(fmt::format("this {} was made inside a loop or branch that has ended: make it where "
                         "it is used",
                         what),
             where);
}

}  // namespace

const Box& Boxes::box(const BoxRef& ref, Location where) {
  require_own(trace_, ref.trace, "view", where);
  const Box& box = boxes_[ref.index];
  require_open(trace_, box.region, "view", where);
  return box;
}

const Tiling& Boxes::tiling(const TilingRef& ref, Location where) {
  require_own(trace_, ref.trace, "tiling", where);
  const Tiling& tiling = tilings_[ref.index];
  require_open(trace_, tiling.region, "tiling", where);
  return tiling;
}

const Place& Boxes::place(const PlaceRef& ref, Location where) {
  require_own(trace_, ref.trace, "grid", where);
  return places_[ref.index];
}

int Boxes::parameter(const ParameterRef& ref, Location where) {
  require_own(trace_, ref.trace, "parameter", where);
  return ref.position;
}

void Boxes::note_store(const Box& box) { stored_[static_cast<std::size_t>(box.parameter)] = true; }

void Boxes::require_stores() {
  for (std::size_t i = 0; i < stored_.size(); ++i) {
    const ParameterFacts& known = specialisation_.parameters[i];
    const bool only_written = known.kind == ParameterKind::out || known.kind == ParameterKind::outs;
    if (!only_written || !known.present || stored_[i]) continue;
    trace_.error(fmt::format("argument {} of {} is an output that is never stored: declare it "
                             "std::optional where it may be left out",
                             i + 1, specialisation_.kernel),
                 kernel_line_);
  }
}

Box Boxes::tensor(int parameter, Location where) {
  const ParameterFacts& known = facts(parameter);
  Box box;
  box.parameter = parameter;
  box.dtype = known.dtype;
  box.base = argument(AbiKind::base, parameter);
  for (int axis = 0; axis < known.rank; ++axis) {
    const Cut& cut = known.cuts[static_cast<std::size_t>(axis)];
    BoxAxis& seen = box.axes.emplace_back();
    seen.extent = argument(AbiKind::extent, parameter, axis);
    if (!seen.extent) {
      seen.known_extent = cut.size;
      seen.extent = index_number(cut.size, where);
    }
    seen.stride = argument(AbiKind::stride, parameter, axis);
    box.visible.push_back(axis);
  }
  return box;
}

namespace {

/// Reads one 64-bit word of a list's row; zero where the row does not exist.
ir::Value row_word(ir::Builder& builder, ir::Value table, ir::Value row, std::int64_t words,
                   std::int64_t word, ir::Value exists) {
  const ir::Value wide = builder.simple(Opcode::muli, builder.type(row),
                                        {row, builder.integer(ElementKind::i64, words)});
  const ir::Value at = builder.simple(Opcode::addi, builder.type(row),
                                      {wide, builder.integer(ElementKind::i64, word)});
  const ir::Value address = builder.simple(Opcode::offset, builder.type(table), {table, at});
  return load_table(builder, address, exists, 0);
}

}  // namespace

Box Boxes::list_element(int parameter, ir::Value which, Location where) {
  trace_.refuse_in_combiner("an access to memory", where);
  const Scalars scalars(*this, where);
  const ParameterFacts& known = facts(parameter);
  const ir::Value count = argument(AbiKind::rows_count, parameter);
  const ir::Value exists = scalars.inside(which, count);
  trace_.check_bounds({.kind = "list", .parameter = parameter}, exists, which, count, where);

  ir::Builder& builder = trace_.at(where);
  ir::OpDraft widen(Opcode::exti, builder.location());
  widen.operand(which).set(ir::AttributeName::signedness, ir::Signedness::signed_);
  const ir::Value row = builder.append(widen, {ir::tile_type(ElementKind::i64)});
  const ir::Value table = argument(AbiKind::rows, parameter);
  const std::int64_t words = 1 + 2 * std::int64_t{known.rank};
  auto word = [&](std::int64_t index) {
    return row_word(builder, table, row, words, index, exists);
  };
  auto as_index = [&](ir::Value value) {
    return specialisation_.wide_index
               ? value
               : builder.simple(Opcode::trunci, ir::tile_type(ElementKind::i32), {value});
  };

  Box box;
  box.parameter = parameter;
  box.dtype = known.dtype;
  box.guard = exists;
  box.group = which;
  box.base = builder.simple(Opcode::int_to_ptr, ir::pointer_tile_type(element_kind(known.dtype)),
                            {word(0)});
  for (int axis = 0; axis < known.rank; ++axis) {
    BoxAxis& seen = box.axes.emplace_back();
    seen.extent = as_index(word(1 + axis));
    if (!known.axes[static_cast<std::size_t>(axis)].unit_stride) {
      seen.stride = as_index(word(1 + known.rank + axis));
    }
    box.visible.push_back(axis);
  }
  return box;
}

// --- scalars

ir::Value Boxes::index_number(std::int64_t number, Location where) {
  return trace_.at(where).integer(index_kind(), number);
}

ir::Value Boxes::to_index(ir::Value integer, Location where) {
  ir::Builder& builder = trace_.at(where);
  if (!specialisation_.wide_index || builder.type(integer).tile().kind() == ElementKind::i64) {
    return integer;
  }
  ir::OpDraft widen(Opcode::exti, builder.location());
  widen.operand(integer).set(ir::AttributeName::signedness, ir::Signedness::signed_);
  return builder.append(widen,
                        {ir::tile_type(ElementKind::i64, builder.type(integer).tile().shape)});
}

ir::Value Boxes::to_int(ir::Value index, Location where) {
  ir::Builder& builder = trace_.at(where);
  if (builder.type(index).tile().kind() == ElementKind::i32) return index;
  return builder.simple(Opcode::trunci, ir::tile_type(ElementKind::i32), {index});
}

TileRef Boxes::as_int(ir::Value value, Location where) {
  return trace_.make(to_int(value, where), DType::int32, {}, where);
}

TileRef Boxes::as_index(ir::Value value, Location where) {
  return trace_.make(value, specialisation_.wide_index ? DType::int64 : DType::int32, {}, where);
}

ir::Value Scalars::number(ElementKind kind, std::int64_t value) const {
  return builder().integer(kind, value);
}
ir::Value Scalars::add(ir::Value a, ir::Value b) const {
  return builder().simple(Opcode::addi, builder().type(a), {a, b});
}
ir::Value Scalars::subtract(ir::Value a, ir::Value b) const {
  return builder().simple(Opcode::subi, builder().type(a), {a, b});
}
ir::Value Scalars::multiply(ir::Value a, ir::Value b) const {
  return builder().simple(Opcode::muli, builder().type(a), {a, b});
}

namespace {

ir::Value signed_op(ir::Builder& builder, Opcode code, ir::Value a, ir::Value b,
                    std::optional<ir::RoundingMode> mode = {}) {
  ir::OpDraft draft(code, builder.location());
  draft.operand(a).operand(b).set(ir::AttributeName::signedness, ir::Signedness::signed_);
  if (mode) draft.set(ir::AttributeName::rounding, *mode);
  return builder.append(draft, {builder.type(a)});
}

}  // namespace

ir::Value Scalars::minimum(ir::Value a, ir::Value b) const {
  return signed_op(builder(), Opcode::mini, a, b);
}
ir::Value Scalars::divide(ir::Value a, ir::Value b) const {
  return signed_op(builder(), Opcode::divi, a, b, ir::RoundingMode::zero);
}
ir::Value Scalars::remainder(ir::Value a, ir::Value b) const {
  return signed_op(builder(), Opcode::remi, a, b);
}
ir::Value Scalars::ceil_divide(ir::Value a, std::int64_t b) const {
  if (b == 1) return a;
  const ir::Value divisor = number(builder().type(a).tile().kind(), b);
  return signed_op(builder(), Opcode::divi, a, divisor, ir::RoundingMode::positive_inf);
}
ir::Value Scalars::less(ir::Value a, ir::Value b) const {
  return builder().compare_int(ir::ComparisonPredicate::less_than, a, b, ir::Signedness::signed_);
}
ir::Value Scalars::both(ir::Value a, ir::Value b) const {
  if (!a) return b;
  if (!b) return a;
  return builder().simple(Opcode::andi, builder().type(a), {a, b});
}
ir::Value Scalars::either(ir::Value a, ir::Value b) const {
  return builder().simple(Opcode::ori, builder().type(a), {a, b});
}
ir::Value Scalars::inside(ir::Value index, ir::Value bound) const {
  const ir::TileType& type = builder().type(index).tile();
  const ir::Value zero = builder().constant(type.kind(), 0, type.shape);
  const ir::Value nonnegative = builder().compare_int(
      ir::ComparisonPredicate::greater_than_or_equal, index, zero, ir::Signedness::signed_);
  return both(nonnegative, less(index, bound));
}

}  // namespace tw::inline v0::detail
