// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "interp/elementwise.hpp"
#include "interp/integer_ops.hpp"
#include "interp/rules.hpp"

namespace tw::inline v0::interp {
namespace {

using namespace integer_ops;
using ir::AttributeName;
using ir::RoundingMode;
using ir::Signedness;

template <template <class> class Op>
void unary(Preparation& preparation, const ir::Op& op) {
  with_integer(preparation.tile(op.result()).kind(),
               [&]<class I>() { add_elementwise<Op<I>, Bits<I>, Bits<I>>(preparation, op); });
}

template <template <class> class Op>
void binary(Preparation& preparation, const ir::Op& op) {
  with_integer(preparation.tile(op.result()).kind(), [&]<class I>() {
    add_elementwise<Op<I>, Bits<I>, Bits<I>, Bits<I>>(preparation, op);
  });
}

template <template <class> class Unsigned, template <class> class Signed>
void by_sign(Preparation& preparation, const ir::Op& op) {
  if (op.as<Signedness>(AttributeName::signedness) == Signedness::signed_) {
    binary<Signed>(preparation, op);
  } else {
    binary<Unsigned>(preparation, op);
  }
}

template <RoundingMode Rounding>
void division_rounded(Preparation& preparation, const ir::Op& op) {
  by_sign<Division<Rounding>::template Unsigned, Division<Rounding>::template Signed>(preparation,
                                                                                      op);
}

void division(Preparation& preparation, const ir::Op& op) {
  switch (op.as<RoundingMode>(AttributeName::rounding)) {
    case RoundingMode::negative_inf:
      return division_rounded<RoundingMode::negative_inf>(preparation, op);
    case RoundingMode::positive_inf:
      return division_rounded<RoundingMode::positive_inf>(preparation, op);
    default:
      return division_rounded<RoundingMode::zero>(preparation, op);
  }
}

using enum ir::Opcode;

constexpr std::array rules{
    OpRule{absi, unary<Absolute>, Sharing::elementwise},
    OpRule{addi, binary<Add>, Sharing::elementwise},
    OpRule{andi, binary<And>, Sharing::elementwise},
    OpRule{divi, division, Sharing::elementwise},
    OpRule{maxi, by_sign<Maximum, MaximumSigned>, Sharing::elementwise},
    OpRule{mini, by_sign<Minimum, MinimumSigned>, Sharing::elementwise},
    OpRule{mulhii, binary<MultiplyHigh>, Sharing::elementwise},
    OpRule{muli, binary<Multiply>, Sharing::elementwise},
    OpRule{negi, unary<Negate>, Sharing::elementwise},
    OpRule{ori, binary<Or>, Sharing::elementwise},
    OpRule{remi, by_sign<Remainder, RemainderSigned>, Sharing::elementwise},
    OpRule{shli, binary<ShiftLeft>, Sharing::elementwise},
    OpRule{shri, by_sign<ShiftRight, ShiftRightSigned>, Sharing::elementwise},
    OpRule{subi, binary<Subtract>, Sharing::elementwise},
    OpRule{xori, binary<Xor>, Sharing::elementwise},
};

}  // namespace

std::span<const OpRule> integer_rules() { return rules; }

}  // namespace tw::inline v0::interp
