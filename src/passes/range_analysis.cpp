// SPDX-License-Identifier: Apache-2.0
#include "passes/range_analysis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "passes/integer.hpp"

namespace tw::inline v0::passes {
namespace {

using ir::AttributeName;
using ir::Opcode;

/// The hardware's limit on the blocks along an axis.
constexpr std::int64_t most_blocks = (1 << 24) - 1;

/// Element by element functions of integers, and how an analysis reads them.
struct Elementwise {
  Opcode op;
  RangeCode code;
};
constexpr std::array elementwise_ops{
    Elementwise{Opcode::absi, RangeCode::absolute},
    Elementwise{Opcode::addi, RangeCode::add},
    Elementwise{Opcode::andi, RangeCode::bit_and},
    Elementwise{Opcode::divi, RangeCode::divide},
    Elementwise{Opcode::exti, RangeCode::extend},
    Elementwise{Opcode::maxi, RangeCode::maximum},
    Elementwise{Opcode::mini, RangeCode::minimum},
    Elementwise{Opcode::muli, RangeCode::multiply},
    Elementwise{Opcode::negi, RangeCode::negate},
    Elementwise{Opcode::ori, RangeCode::bit_or},
    Elementwise{Opcode::remi, RangeCode::remainder},
    Elementwise{Opcode::select, RangeCode::choose},
    Elementwise{Opcode::shli, RangeCode::shift_left},
    Elementwise{Opcode::shri, RangeCode::shift_right},
    Elementwise{Opcode::subi, RangeCode::subtract},
    Elementwise{Opcode::trunci, RangeCode::truncate},
    Elementwise{Opcode::xori, RangeCode::bit_xor},
};

std::optional<RangeCode> elementwise_code(Opcode op) {
  const auto row = std::ranges::find(elementwise_ops, op, &Elementwise::op);
  if (row == elementwise_ops.end()) return std::nullopt;
  return row->code;
}

/// The values that a launch may pass for an argument.
struct ArgumentRange {
  std::int64_t low;
  std::int64_t high;
};
ArgumentRange argument_range(const ir::AbiSlot& slot, std::uint8_t width) {
  switch (slot.kind) {
    case ir::AbiKind::extent:
    case ir::AbiKind::stride:
    case ir::AbiKind::ids_count:
    case ir::AbiKind::rows_count:
      return {0, highest(width)};
    case ir::AbiKind::grid:
    case ir::AbiKind::common_grid:
      return {1, highest(width)};
    default:
      return {lowest(width), highest(width)};
  }
}

const ir::Op* last(const ir::Block& block) {
  return block.ops.empty() ? nullptr : &block.ops.back();
}

bool yields(const ir::Block& block) {
  const ir::Op* terminator = last(block);
  return terminator && terminator->code == Opcode::yield;
}

/// Combiners whose result is one of their operands, or (of truth values) what all or any say.
bool selects_an_operand(Opcode code, std::uint8_t width) {
  if (code == Opcode::mini || code == Opcode::maxi) return true;
  return width == 1 && (code == Opcode::andi || code == Opcode::ori);
}

/// The value with which such a combiner gives its other operand, whatever that is.
std::int64_t neutral_value(const ir::Op& combine, std::uint8_t width) {
  const bool gives_low = combine.code == Opcode::maxi || combine.code == Opcode::ori;
  if (combine.code == Opcode::andi || combine.code == Opcode::ori) return gives_low ? 0 : 1;
  const bool is_signed =
      combine.as<ir::Signedness>(AttributeName::signedness) == ir::Signedness::signed_;
  if (!is_signed) return as_signed(gives_low ? 0 : ~std::uint64_t{0}, width);
  return gives_low ? lowest(width) : highest(width);
}

}  // namespace

RangeAnalysis::RangeAnalysis(const ir::Kernel& kernel)
    : function_(kernel.entry()),
      known_(function_.types.size()),
      makers_(function_.types.size(), nullptr) {
  enter_parameters(kernel);
  visit(function_.body);
}

void RangeAnalysis::enter_parameters(const ir::Kernel& kernel) {
  const auto& parameters = function_.body.arguments;
  for (std::size_t i = 0; i < parameters.size() && i < kernel.abi.size(); ++i) {
    const std::uint8_t bits = width(parameters[i]);
    if (bits == 0) continue;
    const ArgumentRange range = argument_range(kernel.abi[i], bits);
    const RangeNode node{
        .code = RangeCode::argument, .width = bits, .low = static_cast<std::int64_t>(i)};
    define(parameters[i], graph_.launch_value(node, range.low, range.high), true);
  }
}

std::uint8_t RangeAnalysis::width(ir::Value value) const {
  return integer_width(function_.type(value));
}

bool RangeAnalysis::uniform(ir::Value value) const {
  if (known_[value.index].uniform) return true;
  const auto* tile = function_.type(value).as<ir::TileType>();
  return tile && std::ranges::all_of(tile->shape, [](std::int64_t n) { return n == 1; });
}

void RangeAnalysis::define(ir::Value value, Id id, bool is_uniform) {
  known_[value.index] = {id, is_uniform};
}

RangeGraph::Id RangeAnalysis::id(ir::Value value) {
  Known& known = known_[value.index];
  if (known.id == none) known.id = graph_.unknown(std::max<std::uint8_t>(width(value), 1));
  return known.id;
}

void RangeAnalysis::visit(const ir::Block& block) {
  for (const ir::Op& op : block.ops) visit(op);
}

void RangeAnalysis::visit(const ir::Op& op) {
  switch (op.code) {
    case Opcode::constant:
      return constant(op);
    case Opcode::iota:
      return iota(op);
    case Opcode::cmpi: {
      // One bit read as signed is 0 and -1: only equality reads it as the analysis does.
      const auto predicate = op.as<ir::ComparisonPredicate>(AttributeName::comparison_predicate);
      if (width(op.operands[0]) == 1 && predicate != ir::ComparisonPredicate::equal &&
          predicate != ir::ComparisonPredicate::not_equal) {
        return;
      }
      return elementwise(
          op, {.code = RangeCode::compare, .detail = static_cast<std::uint8_t>(predicate)});
    }
    case Opcode::broadcast:
    case Opcode::extract:
    case Opcode::permute:
    case Opcode::reshape:
      return shuffle(op);
    case Opcode::cat:
      return join(op);
    case Opcode::assume:
      return assume(op);
    case Opcode::get_index_space_shape:
    case Opcode::get_tensor_shape:
      return axes(op);
    case Opcode::get_tile_block_id:
    case Opcode::get_num_tile_blocks:
      return grid(op);
    case Opcode::make_tensor_view:
    case Opcode::make_partition_view:
    case Opcode::make_strided_view:
      makers_[op.result().index] = &op;
      return;
    case Opcode::for_:
      return counted_loop(op);
    case Opcode::if_:
      return branch(op);
    case Opcode::loop:
      return visit(op.regions[0]);
    case Opcode::reduce:
      return reduction(op);
    case Opcode::check:
      checks_.push_back({&op, id(op.operands[0]), id(op.operands[1]), id(op.operands[2])});
      return;
    default:
      if (const auto code = elementwise_code(op.code)) elementwise(op, {.code = *code});
  }
}

void RangeAnalysis::constant(const ir::Op& op) {
  const ir::TileType& type = function_.type(op.result()).tile();
  const std::uint8_t bits = width(op.result());
  if (bits == 0) return;
  const auto& value = op.get<ir::Constant>(AttributeName::value);
  const auto count = static_cast<std::size_t>(product(type.shape));
  if (ir::is_splat(value, type.kind(), count)) {
    const auto number = as_signed(ir::element_bits(value, type.kind(), 0), bits);
    return define(op.result(), graph_.constant(number, bits), true);
  }
  std::int64_t low = highest(bits);
  std::int64_t high = lowest(bits);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = as_signed(ir::element_bits(value, type.kind(), i), bits);
    low = std::min(low, number);
    high = std::max(high, number);
  }
  define(op.result(), graph_.between(low, high, bits), low == high);
}

void RangeAnalysis::iota(const ir::Op& op) {
  const std::uint8_t bits = width(op.result());
  const std::int64_t count = function_.type(op.result()).tile().shape[0];
  if (count - 1 > highest(bits)) return;
  define(op.result(), graph_.between(0, count - 1, bits), count == 1);
}

void RangeAnalysis::elementwise(const ir::Op& op, RangeNode node) {
  node.width = width(op.result());
  if (node.width == 0) return;
  node.is_signed = !op.find(AttributeName::signedness) ||
                   op.as<ir::Signedness>(AttributeName::signedness) == ir::Signedness::signed_;
  if (node.code == RangeCode::divide) {
    node.detail = static_cast<std::uint8_t>(op.integer(AttributeName::rounding));
  }
  if (node.code == RangeCode::extend) node.detail = width(op.operands[0]);
  node.a = id(op.operands[0]);
  if (op.operands.size() > 1) node.b = id(op.operands[1]);
  if (op.operands.size() > 2) node.c = id(op.operands[2]);
  define(op.result(), graph_.add(node),
         std::ranges::all_of(op.operands, [&](ir::Value each) { return uniform(each); }));
}

void RangeAnalysis::shuffle(const ir::Op& op) {
  if (width(op.result()) == 0) return;
  const ir::Value source = op.operands[0];
  const bool same = uniform(source);
  define(op.result(), same ? id(source) : graph_.opaque(id(source)), same);
}

void RangeAnalysis::join(const ir::Op& op) {
  const std::uint8_t bits = width(op.result());
  if (bits == 0) return;
  const Id both = graph_.add(
      {.code = RangeCode::either, .width = bits, .a = id(op.operands[0]), .b = id(op.operands[1])});
  define(op.result(), graph_.opaque(both), false);
}

void RangeAnalysis::assume(const ir::Op& op) {
  const ir::Value value = op.operands[0];
  makers_[op.result().index] = makers_[value.index];
  const std::uint8_t bits = width(value);
  if (bits == 0) return;
  const auto& predicate = op.get<ir::AssumePredicate>(AttributeName::predicate);
  Id promised = id(value);
  if (const auto* bounded = std::get_if<ir::Bounded>(&predicate)) {
    promised = graph_.add({.code = RangeCode::clamp,
                           .width = bits,
                           .a = promised,
                           .low = bounded->lower.value_or(lowest(bits)),
                           .high = bounded->upper.value_or(highest(bits))});
  }
  const auto* divisible = std::get_if<ir::DivBy>(&predicate);
  if (divisible && !divisible->every) {
    promised =
        graph_.add({.code = RangeCode::aligned,
                    .width = bits,
                    .detail = static_cast<std::uint8_t>(std::countr_zero(divisible->divisor)),
                    .a = promised});
  }
  define(op.result(), promised, uniform(value));
}

RangeGraph::Id RangeAnalysis::extent(const ir::Op& make, std::size_t axis, std::uint8_t bits) {
  const auto& type = *function_.type(make.result()).as<ir::TensorViewType>();
  if (type.shape[axis] != ir::dynamic) return graph_.constant(type.shape[axis], bits);
  const auto before = std::count(type.shape.begin(), type.shape.begin() + axis, ir::dynamic);
  const ir::Value value = make.group(1)[static_cast<std::size_t>(before)];
  const std::uint8_t from = width(value);
  if (from == bits) return id(value);
  const RangeCode code = from < bits ? RangeCode::extend : RangeCode::truncate;
  return graph_.add({.code = code, .width = bits, .detail = from, .a = id(value)});
}

void RangeAnalysis::axes(const ir::Op& op) {
  const ir::Op* maker = makers_[op.operands[0].index];
  if (!maker) return;
  if (op.code == Opcode::get_index_space_shape) {
    const ir::Op* tensor = makers_[maker->operands[0].index];
    if (tensor) index_space(op, function_.type(op.operands[0]), *tensor);
    return;
  }
  for (std::size_t axis = 0; axis < op.results.size(); ++axis) {
    define(op.results[axis], extent(*maker, axis, width(op.results[axis])), true);
  }
}

void RangeAnalysis::index_space(const ir::Op& op, const ir::Type& view, const ir::Op& tensor) {
  const auto* partition = view.as<ir::PartitionViewType>();
  const auto* strided = view.as<ir::StridedViewType>();
  if (!partition && !strided) return;
  const auto& map = partition ? partition->dim_map : strided->dim_map;
  for (std::size_t k = 0; k < op.results.size(); ++k) {
    const std::uint8_t bits = width(op.results[k]);
    const std::int64_t step = partition ? partition->tile[k] : strided->traversal_strides[k];
    const std::size_t axis = map.empty() ? k : static_cast<std::size_t>(map[k]);
    define(op.results[k],
           graph_.add({.code = RangeCode::divide,
                       .width = bits,
                       .detail = static_cast<std::uint8_t>(ir::RoundingMode::positive_inf),
                       .a = extent(tensor, axis, bits),
                       .b = graph_.constant(step, bits)}),
           true);
  }
}

void RangeAnalysis::grid(const ir::Op& op) {
  for (std::size_t axis = 0; axis < op.results.size(); ++axis) {
    const RangeNode count{
        .code = RangeCode::block_count, .width = 32, .low = static_cast<std::int64_t>(axis)};
    Id id = graph_.launch_value(count, 1, most_blocks);
    if (op.code == Opcode::get_tile_block_id) {
      id = graph_.add({.code = RangeCode::block_id, .width = 32, .a = id});
    }
    define(op.results[axis], id, true);
  }
}

void RangeAnalysis::counted_loop(const ir::Op& op) {
  const ir::Block& body = op.regions[0];
  const ir::Value index = body.arguments[0];
  // Two loops with the same bounds are at different places: the index's own number tells them
  // apart.
  const Id id = graph_.add({.code = RangeCode::counting,
                            .width = width(index),
                            .is_signed = op.integer(AttributeName::unsigned_comparison) == 0,
                            .a = this->id(op.operands[0]),
                            .b = this->id(op.operands[1]),
                            .c = this->id(op.operands[2]),
                            .low = index.index});
  define(index, id, true);
  visit(body);
}

void RangeAnalysis::branch(const ir::Op& op) {
  const Id condition = id(op.operands[0]);
  for (const ir::Block& region : op.regions) visit(region);
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const std::uint8_t bits = width(op.results[i]);
    if (bits == 0) continue;
    const bool then_yields = yields(op.regions[0]);
    const bool else_yields = yields(op.regions[1]);
    const auto yielded = [&](std::size_t region) { return last(op.regions[region])->operands[i]; };
    if (then_yields && else_yields) {
      const Id chosen = graph_.add({.code = RangeCode::choose,
                                    .width = bits,
                                    .a = condition,
                                    .b = id(yielded(0)),
                                    .c = id(yielded(1))});
      define(op.results[i], chosen, uniform(yielded(0)) && uniform(yielded(1)));
    } else if (then_yields || else_yields) {
      const ir::Value only = yielded(then_yields ? 0 : 1);
      define(op.results[i], id(only), uniform(only));
    }
  }
}

void RangeAnalysis::reduction(const ir::Op& op) {
  const ir::Block& body = op.regions[0];
  const std::uint8_t bits = width(op.results[0]);
  if (bits == 0 || op.results.size() != 1 || body.ops.size() != 2) return;
  const ir::Op& combine = body.ops[0];
  const bool of_arguments = combine.operands.size() == 2 && body.arguments.size() == 2 &&
                            std::ranges::is_permutation(combine.operands, body.arguments) &&
                            body.ops[1].operands == combine.results;
  if (!of_arguments || !selects_an_operand(combine.code, bits)) return;
  Id combined = id(op.operands[0]);
  // What the user calls an identity may be none: then it takes part like an element.
  const auto& identity = op.get<ir::ScalarArray>(AttributeName::identities)[0];
  const std::int64_t first = as_signed(identity.bits, bits);
  if (first != neutral_value(combine, bits)) {
    combined = graph_.add({.code = RangeCode::either,
                           .width = bits,
                           .a = combined,
                           .b = graph_.constant(first, bits)});
  }
  define(op.results[0], graph_.opaque(combined), uniform(op.operands[0]));
}

}  // namespace tw::inline v0::passes
