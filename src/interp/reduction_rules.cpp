// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include "interp/float_ops.hpp"
#include "interp/integer_ops.hpp"
#include "interp/isa.hpp"
#include "interp/preparation.hpp"
#include "interp/rules.hpp"
#include "interp/storage.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;

/// A tile seen from the axis that is combined: all tiles of an op have the same.
struct Axis {
  std::size_t outer;
  std::size_t length;
  std::size_t inner;

  Axis(const Shape& shape, std::size_t axis)
      : outer(static_cast<std::size_t>(product(Shape(shape.begin(), shape.begin() + axis)))),
        length(static_cast<std::size_t>(shape[axis])),
        inner(static_cast<std::size_t>(product(Shape(shape.begin() + axis + 1, shape.end())))) {}

  [[nodiscard]] std::size_t lanes() const { return outer * inner; }
};

std::uint64_t identity_bits(const ir::Op& op, std::size_t operand) {
  const ir::Scalar& identity = op.get<ir::ScalarArray>(AttributeName::identities)[operand];
  return to_storage(identity.bits, identity.kind);
}

// One operand and one well-known combiner: tight loops.

template <class Op, class Element>
struct Reduce {
  TILEWRIGHT_INLINE static void run(Element* result, const Element* source, const Axis& axis,
                                    Element identity) {
    std::fill_n(result, axis.lanes(), identity);
    if (axis.inner == 1) return rows(result, source, axis);
    for (std::size_t o = 0; o < axis.outer; ++o, result += axis.inner) {
      for (std::size_t k = 0; k < axis.length; ++k, source += axis.inner) {
    TILEWRIGHT_INDEPENDENT_STEPS
        for (std::size_t i = 0; i < axis.inner; ++i) result[i] = Op::apply(source[i], result[i]);
      }
    }
  }

 private:
  /// Several rows at once, since each one's steps wait for each other.
  TILEWRIGHT_INLINE static void rows(Element* result, const Element* source, const Axis& axis) {
    constexpr std::size_t group = 8;
    std::size_t o = 0;
    for (; o + group <= axis.outer; o += group) {
      Element sums[group];
      for (std::size_t r = 0; r < group; ++r) sums[r] = result[o + r];
      for (std::size_t k = 0; k < axis.length; ++k) {
        for (std::size_t r = 0; r < group; ++r) {
          sums[r] = Op::apply(source[(o + r) * axis.length + k], sums[r]);
        }
      }
      for (std::size_t r = 0; r < group; ++r) result[o + r] = sums[r];
    }
    for (; o < axis.outer; ++o) {
      for (std::size_t k = 0; k < axis.length; ++k) {
        result[o] = Op::apply(source[o * axis.length + k], result[o]);
      }
    }
  }
};

template <class Op, class Element>
void add_reduce(Preparation& preparation, const ir::Op& op, const Axis& axis) {
  const auto loop = best_version<Reduce<Op, Element>>();
  const auto pattern = static_cast<BitsOf<Element>>(identity_bits(op, 0));
  const auto identity = std::bit_cast<Element>(pattern);
  const Slot from = preparation.slot(op.operands[0]);
  const Slot to = preparation.slot(op.result());
  preparation.add([=](Frame& frame) {
    loop(frame.at<Element>(to), frame.at<const Element>(from), axis, identity);
  });
}

using AddReduce = void (*)(Preparation& preparation, const ir::Op& op, const Axis& axis);

template <template <class> class Op>
void reduce_integers(Preparation& preparation, const ir::Op& op, const Axis& axis) {
  with_integer(preparation.tile(op.result()).kind(),
               [&]<class I>() { add_reduce<Op<I>, typename I::Storage>(preparation, op, axis); });
}

template <template <class> class Op>
void reduce_floats(Preparation& preparation, const ir::Op& op, const Axis& axis) {
  with_float(preparation.tile(op.result()).kind(),
             [&]<class F>() { add_reduce<Op<F>, typename F::Storage>(preparation, op, axis); });
}

/// The combiners with loops of their own; `plain` and `flagged` by signedness or NaN propagation.
struct KnownCombiner {
  ir::Opcode code;
  AddReduce plain;
  AddReduce flagged;
  AttributeName flag = AttributeName::signedness;
};

constexpr std::array known_combiners{
    KnownCombiner{ir::Opcode::addf, reduce_floats<float_ops::Add>, nullptr},
    KnownCombiner{ir::Opcode::mulf, reduce_floats<float_ops::Multiply>, nullptr},
    KnownCombiner{ir::Opcode::maxf, reduce_floats<float_ops::MaximumOfNumbers>,
                  reduce_floats<float_ops::MaximumOrNan>, AttributeName::propagate_nan},
    KnownCombiner{ir::Opcode::minf, reduce_floats<float_ops::MinimumOfNumbers>,
                  reduce_floats<float_ops::MinimumOrNan>, AttributeName::propagate_nan},
    KnownCombiner{ir::Opcode::addi, reduce_integers<integer_ops::Add>, nullptr},
    KnownCombiner{ir::Opcode::muli, reduce_integers<integer_ops::Multiply>, nullptr},
    KnownCombiner{ir::Opcode::maxi, reduce_integers<integer_ops::Maximum>,
                  reduce_integers<integer_ops::MaximumSigned>},
    KnownCombiner{ir::Opcode::mini, reduce_integers<integer_ops::Minimum>,
                  reduce_integers<integer_ops::MinimumSigned>},
    KnownCombiner{ir::Opcode::andi, reduce_integers<integer_ops::And>, nullptr},
    KnownCombiner{ir::Opcode::ori, reduce_integers<integer_ops::Or>, nullptr},
    KnownCombiner{ir::Opcode::xori, reduce_integers<integer_ops::Xor>, nullptr},
};

bool is_default_arithmetic(const ir::Op& op) {
  return op.integer(AttributeName::flush_to_zero) == 0 &&
         op.as<ir::RoundingMode>(AttributeName::rounding) == ir::RoundingMode::nearest_even;
}

/// The loop for a body that only applies a known combiner to its two arguments.
AddReduce known_loop(const ir::Block& body) {
  if (body.ops.size() != 2 || body.arguments.size() != 2) return nullptr;
  const ir::Op& op = body.ops[0];
  const bool of_arguments = op.operands.size() == 2 && op.results.size() == 1 &&
                            std::ranges::is_permutation(op.operands, body.arguments) &&
                            body.ops[1].operands.front() == op.result();
  const auto known = std::ranges::find(known_combiners, op.code, &KnownCombiner::code);
  if (!of_arguments || known == known_combiners.end() || !is_default_arithmetic(op)) {
    return nullptr;
  }
  return known->flagged && op.integer(known->flag) != 0 ? known->flagged : known->plain;
}

// Any combiner: its ops run on as many lanes at once as fit a strip.

constexpr std::size_t strip_lanes = 256;

/// Moves the elements at one position of the axis between a tile and a strip of lanes. Lanes go
/// through the inner axes first; all numbers of them are powers of two.
class Strips {
 public:
  Strips(const Axis& axis, std::size_t lanes, std::size_t element_bytes)
      : run_bytes_(std::min(axis.inner, lanes) * element_bytes),
        runs_(lanes * element_bytes / run_bytes_),
        row_bytes_(axis.inner * element_bytes),
        length_(axis.length),
        strip_bytes_(lanes * element_bytes) {}

  void gather(std::byte* lanes, const std::byte* tile, std::size_t strip, std::size_t k) const {
    for (std::size_t run = 0; run < runs_; ++run) {
      std::memcpy(lanes + run * run_bytes_, tile + position(strip, run, k), run_bytes_);
    }
  }
  void scatter(std::byte* tile, const std::byte* lanes, std::size_t strip, std::size_t k) const {
    for (std::size_t run = 0; run < runs_; ++run) {
      std::memcpy(tile + position(strip, run, k), lanes + run * run_bytes_, run_bytes_);
    }
  }
  [[nodiscard]] std::size_t strip_bytes() const { return strip_bytes_; }

 private:
  [[nodiscard]] std::size_t position(std::size_t strip, std::size_t run, std::size_t k) const {
    const std::size_t lane_bytes = strip * strip_bytes_ + run * run_bytes_;
    const std::size_t outer = lane_bytes / row_bytes_;
    return (outer * length_ + k) * row_bytes_ + lane_bytes % row_bytes_;
  }

  std::size_t run_bytes_;
  std::size_t runs_;
  std::size_t row_bytes_;
  std::size_t length_;
  std::size_t strip_bytes_;
};

/// One pair of operand and result with its lanes.
struct Combined {
  Slot source;
  Slot result;
  Slot element;
  Slot sum;
  std::size_t element_bytes;
  std::uint64_t identity;
  Strips strips;
};

/// Whether the body's ops may run on many lanes at once.
bool is_lane_wise(const Preparation& preparation, const ir::Block& body) {
  return std::ranges::all_of(body.ops, [&](const ir::Op& op) {
    const Sharing sharing = rule(op.code).sharing;
    const bool single = std::ranges::all_of(
        op.operands, [&](ir::Value value) { return preparation.count(value) == 1; });
    return single && (sharing == Sharing::elementwise || sharing == Sharing::alias ||
                      op.code == ir::Opcode::constant || op.code == ir::Opcode::ftof ||
                      op.code == ir::Opcode::itof || op.code == ir::Opcode::ftoi ||
                      op.code == ir::Opcode::yield);
  });
}

struct Combination {
  Axis axis;
  std::size_t lanes;
  std::vector<Combined> operands;
  Preparation::Combiner combiner;
};

Combination prepare_combination(Preparation& preparation, const ir::Op& op) {
  const ir::Block& body = op.regions[0];
  const Axis axis(preparation.tile(op.operands[0]).shape,
                  static_cast<std::size_t>(op.integer(AttributeName::dim)));
  const std::size_t lanes =
      is_lane_wise(preparation, body) ? std::min(strip_lanes, axis.lanes()) : 1;
  Combination result{axis, lanes, {}, {}};
  std::vector<Slot> sums;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const std::size_t size = preparation.element_bytes(op.operands[k]);
    const Slot element = preparation.scratch(size * lanes);
    const Slot sum = preparation.scratch(size * lanes);
    preparation.place(body.arguments[2 * k], element);
    preparation.place(body.arguments[2 * k + 1], sum);
    sums.push_back(sum);
    result.operands.push_back({preparation.slot(op.operands[k]), preparation.slot(op.results[k]),
                               element, sum, size, identity_bits(op, k),
                               Strips(axis, lanes, size)});
  }
  std::swap(preparation.exits().yielded, sums);
  result.combiner = preparation.combiner(body, lanes);
  std::swap(preparation.exits().yielded, sums);
  return result;
}

/// Runs the combiner along the axis for all lanes; `emit(operand, strip, k)` after each position.
template <class Emit>
void combine(const Combination& combination, Frame& frame, bool reverse, const Emit& emit) {
  run(combination.combiner.captured, frame);
  const std::size_t length = combination.axis.length;
  for (std::size_t strip = 0; strip < combination.axis.lanes() / combination.lanes; ++strip) {
    for (const Combined& operand : combination.operands) {
      fill(frame.at<std::byte>(operand.sum), operand.identity, operand.element_bytes,
           combination.lanes);
    }
    for (std::size_t step = 0; step < length; ++step) {
      const std::size_t k = reverse ? length - 1 - step : step;
      for (const Combined& operand : combination.operands) {
        operand.strips.gather(frame.at<std::byte>(operand.element),
                              frame.at<const std::byte>(operand.source), strip, k);
      }
      run(combination.combiner.combine, frame);
      for (const Combined& operand : combination.operands) emit(operand, strip, step, k);
    }
  }
}

void reduce_axis(Preparation& preparation, const ir::Op& op) {
  if (const AddReduce loop = known_loop(op.regions[0])) {
    return loop(preparation, op,
                Axis(preparation.tile(op.operands[0]).shape,
                     static_cast<std::size_t>(op.integer(AttributeName::dim))));
  }
  preparation.add([combination = prepare_combination(preparation, op)](Frame& frame) {
    const std::size_t last = combination.axis.length - 1;
    combine(combination, frame, false,
            [&](const Combined& operand, std::size_t strip, std::size_t step, std::size_t) {
              if (step != last) return;
              const std::size_t bytes = operand.strips.strip_bytes();
              std::memcpy(frame.at<std::byte>(operand.result) + strip * bytes,
                          frame.at<const std::byte>(operand.sum), bytes);
            });
  });
}

void scan_axis(Preparation& preparation, const ir::Op& op) {
  const bool reverse = op.integer(AttributeName::reverse) != 0;
  preparation.add([reverse, combination = prepare_combination(preparation, op)](Frame& frame) {
    combine(combination, frame, reverse,
            [&](const Combined& operand, std::size_t strip, std::size_t, std::size_t k) {
              operand.strips.scatter(frame.at<std::byte>(operand.result),
                                     frame.at<const std::byte>(operand.sum), strip, k);
            });
  });
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{reduce, reduce_axis},
    OpRule{scan, scan_axis},
};

}  // namespace

std::span<const OpRule> reduction_rules() { return rules; }

}  // namespace tw::inline v0::interp
