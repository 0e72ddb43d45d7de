// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "interp/elementwise.hpp"
#include "interp/float_ops.hpp"
#include "interp/rules.hpp"

namespace tw::inline v0::interp {
namespace {

using namespace float_ops;
using ir::AttributeName;

template <class F, class Op, class... Sources>
void add_nearest(Preparation& preparation, const ir::Op& op) {
  if constexpr (std::is_same_v<F, F32>) {
    if (op.integer(AttributeName::flush_to_zero) != 0) {
      return add_elementwise<Flushed<Op>, float, Sources...>(preparation, op);
    }
  }
  add_elementwise<Op, Number<F>, Sources...>(preparation, op);
}

template <template <class> class Op>
void unary(Preparation& preparation, const ir::Op& op) {
  with_float(preparation.tile(op.result()).kind(),
             [&]<class F>() { add_nearest<F, Op<F>, Number<F>>(preparation, op); });
}

template <template <class> class Op>
void binary(Preparation& preparation, const ir::Op& op) {
  with_float(preparation.tile(op.result()).kind(),
             [&]<class F>() { add_nearest<F, Op<F>, Number<F>, Number<F>>(preparation, op); });
}

bool rounds_to_nearest(Rounding rounding) {
  return rounding == Rounding::nearest_even || rounding == Rounding::approx ||
         rounding == Rounding::full;
}

template <class T>
T flush_if(bool flushes, T value) {
  if constexpr (std::is_same_v<T, float>) return flushes ? flush(value) : value;
  return value;
}

/// The step of an operation in any rounding mode, one call an element.
template <class Op, class T, std::size_t... Index>
void add_rounded(Preparation& preparation, const ir::Op& op, std::index_sequence<Index...>) {
  const auto rounding = op.as<Rounding>(AttributeName::rounding);
  const bool flushes = op.integer(AttributeName::flush_to_zero) != 0;
  const std::size_t count = preparation.count(op.result());
  const Slot to = preparation.slot(op.result());
  const std::array from{preparation.slot(op.operands[Index])...};
  preparation.add([=](Frame& frame) {
    for (std::size_t k = 0; k < count; ++k) {
      frame.at<T>(to)[k] = flush_if(
          flushes, Op::rounded(flush_if(flushes, frame.at<const T>(from[Index])[k])..., rounding));
    }
  });
}

/// Whether rounding a double's result gives the op's result. The exact sum of a product and a
/// number of bf16 can be closer to a tie than a double can tell.
template <class F, template <class> class Op>
inline constexpr bool nearest_in_wide = true;
template <>
inline constexpr bool nearest_in_wide<BF16, FusedMultiplyAdd> = false;

template <class F, std::size_t>
using Operand = Number<F>;

template <class F, template <class> class Op, std::size_t... Index>
void add_arithmetic(Preparation& preparation, const ir::Op& op,
                    std::index_sequence<Index...> operands) {
  if (nearest_in_wide<F, Op> && rounds_to_nearest(op.as<Rounding>(AttributeName::rounding))) {
    add_nearest<F, Op<F>, Operand<F, Index>...>(preparation, op);
  } else {
    add_rounded<Op<F>, typename F::Element>(preparation, op, operands);
  }
}

template <template <class> class Op, std::size_t Arity>
void arithmetic(Preparation& preparation, const ir::Op& op) {
  with_float(preparation.tile(op.result()).kind(), [&]<class F>() {
    add_arithmetic<F, Op>(preparation, op, std::make_index_sequence<Arity>{});
  });
}

template <template <class> class OfNumbers, template <class> class OrNan>
void extremum(Preparation& preparation, const ir::Op& op) {
  if (op.integer(AttributeName::propagate_nan) != 0) {
    binary<OrNan>(preparation, op);
  } else {
    binary<OfNumbers>(preparation, op);
  }
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{absf, unary<Absolute>, Sharing::elementwise},
    OpRule{addf, arithmetic<Add, 2>, Sharing::elementwise},
    OpRule{ceil, unary<Ceiling>, Sharing::elementwise},
    OpRule{divf, arithmetic<Divide, 2>, Sharing::elementwise},
    OpRule{floor, unary<Floor>, Sharing::elementwise},
    OpRule{fma, arithmetic<FusedMultiplyAdd, 3>, Sharing::elementwise},
    OpRule{maxf, extremum<MaximumOfNumbers, MaximumOrNan>, Sharing::elementwise},
    OpRule{minf, extremum<MinimumOfNumbers, MinimumOrNan>, Sharing::elementwise},
    OpRule{mulf, arithmetic<Multiply, 2>, Sharing::elementwise},
    OpRule{negf, unary<Negate>, Sharing::elementwise},
    OpRule{sqrt, arithmetic<SquareRoot, 1>, Sharing::elementwise},
    OpRule{subf, arithmetic<Subtract, 2>, Sharing::elementwise},
};

}  // namespace

std::span<const OpRule> float_rules() { return rules; }

}  // namespace tw::inline v0::interp
