// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include <fmt/format.h>

#include "dsl/trace.hpp"

namespace tw::inline v0::detail {
namespace {

using ir::AttributeName;
using ir::Opcode;

/// "96 (the next powers of two are 64 and 128)".
std::string powers_beside(std::int64_t extent) {
  const auto above = std::bit_ceil(static_cast<std::uint64_t>(extent));
  return fmt::format("{} (the next powers of two are {} and {})", extent, above / 2, above);
}

/// Complains when an operation would tear apart an axis that the IR holds padded.
bool power_of_two(Trace& trace, std::string_view name, const Shape& shape, Location where) {
  for (const std::int64_t extent : shape) {
    if (extent < 1 || !std::has_single_bit(static_cast<std::uint64_t>(extent))) {
      trace.error(extent < 1 ? fmt::format("{}: an extent of {} is not positive", name, extent)
                             : fmt::format("{} along an axis of {}: the extent must be a power of "
                                           "two",
                                           name, powers_beside(extent)),
                  where);
      return false;
    }
  }
  return true;
}

Shape without_ones(const Shape& shape) {
  Shape result;
  for (const std::int64_t extent : shape) {
    if (extent != 1) result.push_back(extent);
  }
  return result;
}

}  // namespace

ir::Value masked(Trace& trace, const TileRef& x, std::size_t axis, std::uint64_t bits,
                 Location where) {
  const ir::Value value = trace.use(x, where);
  const Shape stored = stored_shape(x.shape);
  if (stored[axis] == x.shape[axis]) return value;
  ir::Builder& builder = trace.at(where);
  const ir::Value lane =
      builder.simple(Opcode::iota, ir::tile_type(ElementKind::i32, Shape{stored[axis]}), {});
  const ir::Value limit = builder.constant(
      ElementKind::i32, static_cast<std::uint64_t>(x.shape[axis]), Shape{stored[axis]});
  const ir::Value inside =
      builder.compare_int(ir::ComparisonPredicate::less_than, lane, limit, ir::Signedness::signed_);
  Shape beside = Shape::filled(stored.size(), 1);
  beside[axis] = stored[axis];
  const ir::Value mask = builder.broadcast(builder.reshape(inside, beside), stored);
  return builder.select(mask, value, builder.constant(element_kind(x.dtype), bits, stored));
}

TileRef iota(std::int64_t extent, Location where) {
  Trace& trace = Trace::current(where);
  if (extent < 1) {
    trace.error(fmt::format("iota: an extent of {} is not positive", extent), where);
    return trace.poison(DType::int32, Shape{1}, where);
  }
  const Shape shape{extent};
  return trace.make(trace.at(where).simple(Opcode::iota, stored_type(DType::int32, shape), {}),
                    DType::int32, shape, where);
}

TileRef broadcast(const TileRef& x, const Shape& shape, Location where) {
  Trace& trace = Trace::current(where);
  const ir::Value value = trace.use(x, where);
  if (x.shape == shape) return x;
  const std::optional<Shape> joined = broadcast_shape(x.shape, shape);
  if (!joined || *joined != shape) {
    trace.error(fmt::format("a tile of shape {} cannot be stretched to {}", to_string(x.shape),
                            to_string(shape)),
                where);
    return trace.poison(x.dtype, shape, where);
  }
  ir::Builder& builder = trace.at(where);
  Shape ones = Shape::filled(shape.size() - x.shape.size(), 1);
  for (const std::int64_t extent : stored_shape(x.shape)) ones.push_back(extent);
  const ir::Value stretched = builder.broadcast(builder.reshape(value, ones), stored_shape(shape));
  return trace.make(stretched, x.dtype, shape, where);
}

TileRef reshape(const TileRef& x, const Shape& shape, Location where) {
  Trace& trace = Trace::current(where);
  const ir::Value value = trace.use(x, where);
  if (product(x.shape) != product(shape)) {
    trace.error(fmt::format("reshape of {} into {} changes the number of elements",
                            to_string(x.shape), to_string(shape)),
                where);
    return trace.poison(x.dtype, shape, where);
  }
  // Dropping and adding ones keeps the padding where it is; any other reshape would mix it in.
  if (without_ones(x.shape) != without_ones(shape) &&
      !(power_of_two(trace, "reshape", x.shape, where) &&
        power_of_two(trace, "reshape", shape, where))) {
    return trace.poison(x.dtype, shape, where);
  }
  return trace.make(trace.at(where).reshape(value, stored_shape(shape)), x.dtype, shape, where);
}

TileRef permute(const TileRef& x, std::span<const int> order, Location where) {
  Trace& trace = Trace::current(where);
  const ir::Value value = trace.use(x, where);
  Shape shape;
  ir::IntArray permutation;
  bool moves = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    shape.push_back(x.shape[static_cast<std::size_t>(order[i])]);
    permutation.push_back(order[i]);
    moves |= order[i] != static_cast<int>(i);
  }
  if (!moves) return x;
  ir::Builder& builder = trace.at(where);
  ir::OpDraft draft(Opcode::permute, builder.location());
  draft.operand(value).set(AttributeName::permutation, std::move(permutation));
  return trace.make(builder.append(draft, {stored_type(x.dtype, shape)}), x.dtype, shape, where);
}

TileRef squeeze(const TileRef& x, int axis, Location where) {
  Trace& trace = Trace::current(where);
  Shape shape = x.shape;
  const auto a = static_cast<std::size_t>(axis);
  if (shape[a] != 1) {
    trace.error(fmt::format("squeeze of axis {} of a tile of shape {}: its extent is not one", axis,
                            to_string(x.shape)),
                where);
    shape.erase(a);
    return trace.poison(x.dtype, shape, where);
  }
  shape.erase(a);
  return reshape(x, shape, where);
}

TileRef unsqueeze(const TileRef& x, int axis, Location where) {
  Shape shape = x.shape;
  shape.insert(static_cast<std::size_t>(axis), 1);
  return reshape(x, shape, where);
}

TileRef cat(const TileRef& a, const TileRef& b, int axis, Location where) {
  Trace& trace = Trace::current(where);
  const auto along = static_cast<std::size_t>(axis);
  Shape shape = a.shape;
  shape[along] += b.shape[along];
  Shape fitting = b.shape;
  fitting[along] = a.shape[along];
  if (fitting != a.shape) {
    trace.error(fmt::format("cat of {} and {} along axis {}: the other extents differ",
                            to_string(a.shape), to_string(b.shape), axis),
                where);
    return trace.poison(a.dtype, shape, where);
  }
  const Shape joined{a.shape[along], b.shape[along], shape[along]};
  if (!power_of_two(trace, "cat", joined, where)) return trace.poison(a.dtype, shape, where);
  const ir::Value left = trace.use(a, where);
  const ir::Value right = trace.use(b, where);
  ir::Builder& builder = trace.at(where);
  ir::OpDraft draft(Opcode::cat, builder.location());
  draft.operand(left).operand(right).set(AttributeName::dim, std::int64_t{axis});
  return trace.make(builder.append(draft, {stored_type(a.dtype, shape)}), a.dtype, shape, where);
}

namespace {

/// The slice numbers along all axes: `which` along one, zero along the others.
std::vector<ir::Value> slice_numbers(ir::Builder& builder, std::size_t rank, std::size_t axis,
                                     ir::Value which) {
  const ir::Value zero = builder.integer(ElementKind::i32, 0);
  std::vector<ir::Value> numbers(rank, zero);
  numbers[axis] = which;
  return numbers;
}

/// The slice number, kept inside: any number outside names the slice that it is congruent to.
ir::Value bounded_slice(Trace& trace, const TileRef& which, std::int64_t count, Location where) {
  const ir::Value value = trace.use(which, where);
  ir::Builder& builder = trace.at(where);
  const ir::Value mask = builder.integer(ElementKind::i32, count - 1);
  return builder.simple(Opcode::andi, builder.type(value), {value, mask});
}

bool slice_divides(Trace& trace, std::string_view name, std::int64_t whole, std::int64_t part,
                   Location where) {
  if (!power_of_two(trace, name, Shape{whole, part}, where)) return false;
  if (part <= whole) return true;
  trace.error(fmt::format("{}: a slice of {} does not divide an axis of {}", name, part, whole),
              where);
  return false;
}

}  // namespace

TileRef extract(const TileRef& x, int axis, std::int64_t extent, const TileRef& which,
                Location where) {
  Trace& trace = Trace::current(where);
  const auto along = static_cast<std::size_t>(axis);
  Shape shape = x.shape;
  shape[along] = extent;
  if (!slice_divides(trace, "extract", x.shape[along], extent, where)) {
    shape[along] = extent < 1 ? 1 : extent;
    return trace.poison(x.dtype, shape, where);
  }
  const ir::Value value = trace.use(x, where);
  const ir::Value number = bounded_slice(trace, which, x.shape[along] / extent, where);
  ir::Builder& builder = trace.at(where);
  ir::OpDraft draft(Opcode::extract, builder.location());
  draft.operand(value).group(slice_numbers(builder, shape.size(), along, number));
  return trace.make(builder.append(draft, {stored_type(x.dtype, shape)}), x.dtype, shape, where);
}

TileRef insert(const TileRef& slice, const TileRef& into, int axis, const TileRef& which,
               Location where) {
  Trace& trace = Trace::current(where);
  const auto along = static_cast<std::size_t>(axis);
  Shape fitting = slice.shape;
  fitting[along] = into.shape[along];
  if (fitting != into.shape) {
    trace.error(fmt::format("insert of {} into {}: the other extents differ",
                            to_string(slice.shape), to_string(into.shape)),
                where);
    return into;
  }
  if (!slice_divides(trace, "insert", into.shape[along], slice.shape[along], where)) return into;
  const ir::Value part = trace.use(slice, where);
  const ir::Value whole = trace.use(into, where);
  const ir::Value number =
      bounded_slice(trace, which, into.shape[along] / slice.shape[along], where);
  ir::Builder& builder = trace.at(where);
  ir::OpDraft draft(Opcode::insert, builder.location());
  draft.operand(part).operand(whole).group(
      slice_numbers(builder, into.shape.size(), along, number));
  return trace.make(builder.append(draft, {stored_type(into.dtype, into.shape)}), into.dtype,
                    into.shape, where);
}

namespace {

/// Bits that one element takes when packed.
std::int64_t packed_bits(DType dtype) {
  return dtype == DType::tf32 ? 32 : info(element_kind(dtype)).bits;
}

/// Reinterprets the elements of the last axis; the IR packs rank 1 only, so it is flattened around
/// it.
TileRef repack(const TileRef& x, Opcode code, DType to, const Shape& shape, Location where) {
  Trace& trace = Trace::current(where);
  const ir::Value value = trace.use(x, where);
  ir::Builder& builder = trace.at(where);
  const ir::Value flat = builder.reshape(value, Shape{product(x.shape)});
  const ir::Value packed =
      builder.simple(code, ir::tile_type(element_kind(to), Shape{product(shape)}), {flat});
  return trace.make(builder.reshape(packed, shape), to, shape, where);
}

}  // namespace

TileRef pack(const TileRef& x, Location where) {
  Trace& trace = Trace::current(where);
  Shape shape = x.shape;
  const std::int64_t bits = packed_bits(x.dtype);
  if (shape.empty() || bits == 8 || (shape.back() * bits) % 8 != 0) {
    trace.error(
        fmt::format("pack: a row of {} elements of {} is not made of whole bytes that differ "
                    "from its elements",
                    shape.empty() ? 1 : shape.back(), info(x.dtype).name),
        where);
    return trace.poison(DType::uint8, shape, where);
  }
  shape[shape.size() - 1] = shape.back() * bits / 8;
  if (!power_of_two(trace, "pack", x.shape, where)) return trace.poison(DType::uint8, shape, where);
  return repack(x, Opcode::pack, DType::uint8, shape, where);
}

TileRef unpack(const TileRef& x, DType to, Location where) {
  Trace& trace = Trace::current(where);
  Shape shape = x.shape;
  const std::int64_t bits = packed_bits(to);
  if (shape.empty() || bits == 8 || (shape.back() * 8) % bits != 0) {
    trace.error(fmt::format("unpack: {} bytes are not a whole number of elements of {}",
                            shape.empty() ? 1 : shape.back(), info(to).name),
                where);
    return trace.poison(to, shape, where);
  }
  shape[shape.size() - 1] = shape.back() * 8 / bits;
  if (!power_of_two(trace, "unpack", x.shape, where)) return trace.poison(to, shape, where);
  return repack(x, Opcode::unpack, to, shape, where);
}

TileRef item(const TileRef& x, Location where) {
  if (product(x.shape) != 1) {
    Trace& trace = Trace::current(where);
    trace.error(
        fmt::format("item of a tile of shape {}: it has more than one element", to_string(x.shape)),
        where);
    return trace.poison(x.dtype, {}, where);
  }
  return reshape(x, {}, where);
}

}  // namespace tw::inline v0::detail
