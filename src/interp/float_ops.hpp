// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include <tilewright/core/rounded_arithmetic.hpp>

#include "interp/floats.hpp"

/// What float ops do to elements; `F` describes their type. `apply` rounds to nearest even;
/// `rounded` is the same operation in any mode.
namespace tw::inline v0::interp::float_ops {

template <class F>
using Number = typename F::Storage;
template <class F>
using Wide = typename F::Wide;

template <class F>
struct Add {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a, Number<F> b) {
    return F::narrow(F::widen(a) + F::widen(b));
  }
  static constexpr auto rounded = &numeric::Arithmetic<typename F::Element>::add;
};

template <class F>
struct Subtract {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a, Number<F> b) {
    return F::narrow(F::widen(a) - F::widen(b));
  }
  static constexpr auto rounded = &numeric::Arithmetic<typename F::Element>::sub;
};

template <class F>
struct Multiply {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a, Number<F> b) {
    return F::narrow(F::widen(a) * F::widen(b));
  }
  static constexpr auto rounded = &numeric::Arithmetic<typename F::Element>::mul;
};

template <class F>
struct Divide {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a, Number<F> b) {
    return F::narrow(F::widen(a) / F::widen(b));
  }
  static constexpr auto rounded = &numeric::Arithmetic<typename F::Element>::div;
};

template <class F>
struct SquareRoot {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a) {
    return F::narrow(std::sqrt(F::widen(a)));
  }
  static constexpr auto rounded = &numeric::Arithmetic<typename F::Element>::sqrt;
};

template <class F>
struct FusedMultiplyAdd {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a, Number<F> b, Number<F> c) {
    return F::narrow(std::fma(F::widen(a), F::widen(b), F::widen(c)));
  }
  static constexpr auto rounded = &numeric::Arithmetic<typename F::Element>::fma;
};

template <class F>
struct Negate {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a) {
    if constexpr (std::is_floating_point_v<Number<F>>) {
      return -a;
    } else {
      return static_cast<Number<F>>(a ^ 0x8000u);
    }
  }
};

template <class F>
struct Absolute {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a) {
    if constexpr (std::is_floating_point_v<Number<F>>) {
      return std::fabs(a);
    } else {
      return static_cast<Number<F>>(a & 0x7fffu);
    }
  }
};

template <class F>
struct Ceiling {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a) {
    return F::narrow(std::ceil(F::widen(a)));
  }
};

template <class F>
struct Floor {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a) {
    return F::narrow(std::floor(F::widen(a)));
  }
};

/// What maxima and minima share: +0 is above -0; a NaN beside a number is ignored, unless it
/// propagates.
template <class F, bool PropagateNan>
struct Extremum {
  TILEWRIGHT_INLINE static Number<F> settle_nan(Number<F> a, Number<F> b, Number<F> of_numbers) {
    const Wide<F> x = F::widen(a);
    const Wide<F> y = F::widen(b);
    if constexpr (PropagateNan) {
      return x != x ? a : y != y ? b : of_numbers;
    } else {
      return x != x ? b : y != y ? a : of_numbers;
    }
  }
};

template <class F, bool PropagateNan>
struct Maximum {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a, Number<F> b) {
    const Wide<F> x = F::widen(a);
    const Wide<F> y = F::widen(b);
    const bool second = x < y || (x == y && std::signbit(x));
    return Extremum<F, PropagateNan>::settle_nan(a, b, second ? b : a);
  }
};

template <class F, bool PropagateNan>
struct Minimum {
  TILEWRIGHT_INLINE static Number<F> apply(Number<F> a, Number<F> b) {
    const Wide<F> x = F::widen(a);
    const Wide<F> y = F::widen(b);
    const bool second = y < x || (x == y && std::signbit(y));
    return Extremum<F, PropagateNan>::settle_nan(a, b, second ? b : a);
  }
};

template <class F>
struct MaximumOfNumbers : Maximum<F, false> {};
template <class F>
struct MaximumOrNan : Maximum<F, true> {};
template <class F>
struct MinimumOfNumbers : Minimum<F, false> {};
template <class F>
struct MinimumOrNan : Minimum<F, true> {};

TILEWRIGHT_INLINE float flush(float value) {
  return std::fabs(value) < std::numeric_limits<float>::min() ? std::copysign(0.0f, value) : value;
}

/// An operation whose subnormal operands and results count as zeros of the same sign.
template <class Op>
struct Flushed {
  template <class... Floats>
  TILEWRIGHT_INLINE static float apply(Floats... operands) {
    return flush(Op::apply(flush(operands)...));
  }
};

}  // namespace tw::inline v0::interp::float_ops
