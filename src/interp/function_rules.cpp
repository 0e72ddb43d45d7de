// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <limits>

#include "interp/elementwise.hpp"
#include "interp/floats.hpp"
#include "interp/integers.hpp"
#include "interp/rules.hpp"

// Functions are computed in double and rounded once, whatever accuracy the op asks for.

namespace tw::inline v0::interp {
namespace {

template <class F>
using Number = typename F::Storage;

/// Of f16, bf16 and f32 to double is exact; back rounds once.
template <class F>
TILEWRIGHT_INLINE double to_double(Number<F> value) {
  return static_cast<double>(F::widen(value));
}
template <class F>
TILEWRIGHT_INLINE Number<F> from_double(double value) {
  return F::narrow(static_cast<typename F::Wide>(value));
}

template <class F, auto Function>
struct Apply {
  template <class... Numbers>
  TILEWRIGHT_INLINE static Number<F> apply(Numbers... operands) {
    return from_double<F>(Function(to_double<F>(operands)...));
  }
};

double flush(double value) {
  return std::fabs(value) < static_cast<double>(std::numeric_limits<float>::min())
             ? std::copysign(0.0, value)
             : value;
}

template <auto Function>
void unary(Preparation& preparation, const ir::Op& op) {
  with_float(preparation.tile(op.result()).kind(), [&]<class F>() {
    add_elementwise<Apply<F, Function>, Number<F>, Number<F>>(preparation, op);
  });
}

/// `flush_to_zero` is for f32 only, whose subnormals are seen in the double before it is rounded.
template <auto Function>
void flushing_unary(Preparation& preparation, const ir::Op& op) {
  if (op.integer(ir::AttributeName::flush_to_zero) == 0) return unary<Function>(preparation, op);
  constexpr auto flushed = [](double x) {
    return flush(static_cast<double>(static_cast<float>(Function(flush(x)))));
  };
  add_elementwise<Apply<F32, flushed>, float, float>(preparation, op);
}

template <auto Function>
void binary(Preparation& preparation, const ir::Op& op) {
  with_float(preparation.tile(op.result()).kind(), [&]<class F>() {
    add_elementwise<Apply<F, Function>, Number<F>, Number<F>, Number<F>>(preparation, op);
  });
}

template <class F, class I>
struct IntegerPower {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> base, typename I::Storage exponent) {
    return from_double<F>(
        std::pow(to_double<F>(base), static_cast<double>(I::to_signed(exponent))));
  }
};

void integer_power(Preparation& preparation, const ir::Op& op) {
  with_float(preparation.tile(op.result()).kind(), [&]<class F>() {
    with_integer(preparation.tile(op.operands[1]).kind(), [&]<class I>() {
      add_elementwise<IntegerPower<F, I>, Number<F>, Number<F>, typename I::Storage>(preparation,
                                                                                     op);
    });
  });
}

constexpr auto cosine = [](double x) { return std::cos(x); };
constexpr auto hyperbolic_cosine = [](double x) { return std::cosh(x); };
constexpr auto exponential = [](double x) { return std::exp(x); };
constexpr auto power_of_two = [](double x) { return std::exp2(x); };
constexpr auto logarithm = [](double x) { return std::log(x); };
constexpr auto binary_logarithm = [](double x) { return std::log2(x); };
constexpr auto reciprocal_root = [](double x) { return 1.0 / std::sqrt(x); };
constexpr auto sine = [](double x) { return std::sin(x); };
constexpr auto hyperbolic_sine = [](double x) { return std::sinh(x); };
constexpr auto tangent = [](double x) { return std::tan(x); };
constexpr auto hyperbolic_tangent = [](double x) { return std::tanh(x); };
constexpr auto arc_tangent = [](double y, double x) { return std::atan2(y, x); };
constexpr auto power = [](double x, double y) { return std::pow(x, y); };
constexpr auto remainder_of_quotient = [](double x, double y) { return std::fmod(x, y); };

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{atan2, binary<arc_tangent>, Sharing::elementwise},
    OpRule{cos, unary<cosine>, Sharing::elementwise},
    OpRule{cosh, unary<hyperbolic_cosine>, Sharing::elementwise},
    OpRule{exp, unary<exponential>, Sharing::elementwise},
    OpRule{exp2, flushing_unary<power_of_two>, Sharing::elementwise},
    OpRule{fpowi, integer_power, Sharing::elementwise},
    OpRule{log, unary<logarithm>, Sharing::elementwise},
    OpRule{log2, unary<binary_logarithm>, Sharing::elementwise},
    OpRule{pow, binary<power>, Sharing::elementwise},
    OpRule{remf, binary<remainder_of_quotient>, Sharing::elementwise},
    OpRule{rsqrt, flushing_unary<reciprocal_root>, Sharing::elementwise},
    OpRule{sin, unary<sine>, Sharing::elementwise},
    OpRule{sinh, unary<hyperbolic_sine>, Sharing::elementwise},
    OpRule{tan, unary<tangent>, Sharing::elementwise},
    OpRule{tanh, unary<hyperbolic_tangent>, Sharing::elementwise},
};

}  // namespace

std::span<const OpRule> function_rules() { return rules; }

}  // namespace tw::inline v0::interp
