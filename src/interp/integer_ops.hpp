// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/ir/enums.hpp>

#include "interp/integers.hpp"

/// What integer ops do to elements; `I` describes their type.
namespace tw::inline v0::interp::integer_ops {

template <class I>
using Bits = typename I::Storage;
template <class I>
using Work = typename I::Work;

template <class I>
struct Add {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) { return I::wrap(Work<I>{a} + b); }
};

template <class I>
struct Subtract {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) { return I::wrap(Work<I>{a} - b); }
};

template <class I>
struct Multiply {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) { return I::wrap(Work<I>{a} * b); }
};

/// The upper half of the unsigned product.
template <class I>
struct MultiplyHigh {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
    if constexpr (I::width == 64) {
      __extension__ using Wide = unsigned __int128;
      return static_cast<Bits<I>>(static_cast<Wide>(a) * b >> 64);
    } else {
      return static_cast<Bits<I>>(std::uint64_t{a} * b >> I::width);
    }
  }
};

template <class I>
struct And {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) { return a & b; }
};

template <class I>
struct Or {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) { return a | b; }
};

template <class I>
struct Xor {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) { return a ^ b; }
};

template <class I>
struct ShiftLeft {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
    return I::wrap(Work<I>{a} << (b % I::width));
  }
};

template <class I>
struct ShiftRight {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
    return static_cast<Bits<I>>(a >> (b % I::width));
  }
};

template <class I>
struct ShiftRightSigned {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
    return I::wrap(static_cast<Work<I>>(I::to_signed(a) >> (b % I::width)));
  }
};

template <class I>
struct Negate {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a) { return I::wrap(Work<I>{0} - a); }
};

template <class I>
struct Absolute {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a) {
    return I::to_signed(a) < 0 ? Negate<I>::apply(a) : a;
  }
};

template <class I>
struct Maximum {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) { return a < b ? b : a; }
};

template <class I>
struct MaximumSigned {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
    return I::to_signed(a) < I::to_signed(b) ? b : a;
  }
};

template <class I>
struct Minimum {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) { return b < a ? b : a; }
};

template <class I>
struct MinimumSigned {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
    return I::to_signed(b) < I::to_signed(a) ? b : a;
  }
};

template <class I>
struct Remainder {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
    return b == 0 ? a : static_cast<Bits<I>>(a % b);
  }
};

/// Has the sign of the dividend. Dividing by -1 apart, because MIN / -1 traps.
template <class I>
struct RemainderSigned {
  TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
    const auto divisor = I::to_signed(b);
    if (divisor == 0) return a;
    if (divisor == -1) return 0;
    return I::wrap(static_cast<Work<I>>(I::to_signed(a) % divisor));
  }
};

template <ir::RoundingMode Rounding>
struct Division {
  template <class I>
  struct Unsigned {
    TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
      if (b == 0) return 0;
      const bool up = Rounding == ir::RoundingMode::positive_inf && a % b != 0;
      return I::wrap(Work<I>{a} / b + up);
    }
  };
  template <class I>
  struct Signed {
    TILEWRIGHT_INLINE static Bits<I> apply(Bits<I> a, Bits<I> b) {
      const auto dividend = I::to_signed(a);
      const auto divisor = I::to_signed(b);
      if (divisor == 0) return 0;
      if (divisor == -1) return Negate<I>::apply(a);
      const bool negative = (dividend < 0) != (divisor < 0);
      const bool exact = dividend % divisor == 0;
      const bool down = Rounding == ir::RoundingMode::negative_inf && negative && !exact;
      const bool up = Rounding == ir::RoundingMode::positive_inf && !negative && !exact;
      return I::wrap(static_cast<Work<I>>(dividend / divisor) + up - down);
    }
  };
};

}  // namespace tw::inline v0::interp::integer_ops
