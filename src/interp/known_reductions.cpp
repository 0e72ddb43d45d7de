// SPDX-License-Identifier: Apache-2.0
#include "interp/known_reductions.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "interp/float_ops.hpp"
#include "interp/integer_ops.hpp"
#include "interp/isa.hpp"
#include "interp/storage.hpp"

namespace tw::inline v0::interp {
namespace {

using ir::AttributeName;

template <class Op, class Element>
struct Reduce {
  TILEWRIGHT_INLINE static void run(Element* result, const Element* source,
                                    const CombinedAxis& axis, Element identity) {
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
  TILEWRIGHT_INLINE static void rows(Element* result, const Element* source,
                                     const CombinedAxis& axis) {
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
void add_reduce(Preparation& preparation, const ir::Op& op, const CombinedAxis& axis) {
  const auto loop = best_version<Reduce<Op, Element>>();
  const auto pattern = static_cast<BitsOf<Element>>(identity_bits(op, 0));
  const auto identity = std::bit_cast<Element>(pattern);
  const Slot from = preparation.slot(op.operands[0]);
  const Slot to = preparation.slot(op.result());
  preparation.add([=](Frame& frame) {
    loop(frame.at<Element>(to), frame.at<const Element>(from), axis, identity);
  });
}

template <template <class> class Op>
void reduce_integers(Preparation& preparation, const ir::Op& op, const CombinedAxis& axis) {
  with_integer(preparation.tile(op.result()).kind(),
               [&]<class I>() { add_reduce<Op<I>, typename I::Storage>(preparation, op, axis); });
}

template <template <class> class Op>
void reduce_floats(Preparation& preparation, const ir::Op& op, const CombinedAxis& axis) {
  with_float(preparation.tile(op.result()).kind(),
             [&]<class F>() { add_reduce<Op<F>, typename F::Storage>(preparation, op, axis); });
}

/// The combiners with loops of their own; `plain` and `flagged` by signedness or NaN propagation.
struct KnownCombiner {
  ir::Opcode code;
  AddReduction plain;
  AddReduction flagged;
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

}  // namespace

std::uint64_t identity_bits(const ir::Op& op, std::size_t operand) {
  const ir::Scalar& identity = op.get<ir::ScalarArray>(AttributeName::identities)[operand];
  return to_storage(identity.bits, identity.kind);
}

AddReduction known_reduction(const ir::Block& body) {
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

}  // namespace tw::inline v0::interp
