// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using ir::RoundingMode;
using ir::Signedness;
using Patterns = std::vector<std::uint64_t>;

Patterns with_sign(Opcode code, ElementKind kind, Patterns a, Patterns b, Signedness signedness,
                   RoundingMode rounding = RoundingMode::zero) {
  return evaluate({row(kind, std::move(a)), row(kind, std::move(b))},
                  [&](ir::Builder& builder, std::span<const Value> values) {
                    OpDraft draft(code);
                    draft.operand(values[0]).operand(values[1]);
                    draft.set(AttributeName::signedness, signedness);
                    if (code == Opcode::divi) draft.set(AttributeName::rounding, rounding);
                    return builder.append(draft, {builder.type(values[0])});
                  });
}

TEST(IntegerOps, WrapModuloTheirWidth) {
  using enum ElementKind;
  EXPECT_EQ(evaluate(Opcode::addi, i8, {row(i8, {255, 127}), row(i8, {1, 1})}), Patterns({0, 128}));
  EXPECT_EQ(evaluate(Opcode::subi, i16, {row(i16, {0, 5}), row(i16, {1, 7})}),
            Patterns({0xffff, 0xfffe}));
  EXPECT_EQ(evaluate(Opcode::muli, i32, {row(i32, {0x80000001, 3}), row(i32, {2, 5})}),
            Patterns({2, 15}));
  EXPECT_EQ(evaluate(Opcode::muli, i64, {row(i64, {~0ull, 1ull << 63}), row(i64, {~0ull, 2})}),
            Patterns({1, 0}));
  EXPECT_EQ(evaluate(Opcode::addi, i1, {row(i1, {0, 0, 1, 1}), row(i1, {0, 1, 0, 1})}),
            Patterns({0, 1, 1, 0}));
  EXPECT_EQ(evaluate(Opcode::negi, i1, {row(i1, {0, 1})}), Patterns({0, 1}));
  EXPECT_EQ(evaluate(Opcode::negi, i32, {row(i32, {0x80000000, 1})}),
            Patterns({0x80000000, 0xffffffff}));
  EXPECT_EQ(evaluate(Opcode::absi, i8, {row(i8, {0x80, 0xff})}), Patterns({0x80, 1}));
}

TEST(IntegerOps, MultiplyHighIsUnsigned) {
  using enum ElementKind;
  EXPECT_EQ(evaluate(Opcode::mulhii, i8, {row(i8, {255, 16}), row(i8, {255, 15})}),
            Patterns({254, 0}));
  EXPECT_EQ(evaluate(Opcode::mulhii, i32, {row(i32, {0xffffffff, 1}), row(i32, {0xffffffff, 1})}),
            Patterns({0xfffffffe, 0}));
  EXPECT_EQ(evaluate(Opcode::mulhii, i64, {row(i64, {~0ull, 1ull << 63}), row(i64, {~0ull, 6})}),
            Patterns({~0ull - 1, 3}));
}

TEST(IntegerOps, CombineBits) {
  using enum ElementKind;
  const std::vector<Elements> operands{row(i8, {0b1100, 0xf0}), row(i8, {0b1010, 0xff})};
  EXPECT_EQ(evaluate(Opcode::andi, i8, operands), Patterns({0b1000, 0xf0}));
  EXPECT_EQ(evaluate(Opcode::ori, i8, operands), Patterns({0b1110, 0xff}));
  EXPECT_EQ(evaluate(Opcode::xori, i8, operands), Patterns({0b0110, 0x0f}));
}

TEST(IntegerOps, ShiftModuloTheWidth) {
  using enum ElementKind;
  EXPECT_EQ(evaluate(Opcode::shli, i8, {row(i8, {3, 3, 3, 0x81}), row(i8, {1, 8, 15, 1})}),
            Patterns({6, 3, 0x80, 2}));
  EXPECT_EQ(evaluate(Opcode::shli, i32, {row(i32, {1, 1}), row(i32, {31, 33})}),
            Patterns({0x80000000, 2}));
  EXPECT_EQ(with_sign(Opcode::shri, i8, {0x80, 0x80}, {1, 9}, Signedness::signed_),
            Patterns({0xc0, 0xc0}));
  EXPECT_EQ(with_sign(Opcode::shri, i8, {0x80, 0x80}, {1, 9}, Signedness::unsigned_),
            Patterns({0x40, 0x40}));
  EXPECT_EQ(with_sign(Opcode::shri, i64, {1ull << 63, 8}, {63, 64}, Signedness::signed_),
            Patterns({~0ull, 8}));
}

TEST(IntegerOps, DivisionIsDefinedEverywhere) {
  using enum ElementKind;
  // x / 0 = 0 and MIN / -1 wraps, in every rounding and signedness.
  for (const auto rounding :
       {RoundingMode::zero, RoundingMode::negative_inf, RoundingMode::positive_inf}) {
    EXPECT_EQ(with_sign(Opcode::divi, i32, {7, 0x80000000}, {0, 0xffffffff}, Signedness::signed_,
                        rounding),
              Patterns({0, 0x80000000}));
  }
  EXPECT_EQ(with_sign(Opcode::divi, i32, {7, 0xffffffff}, {0, 2}, Signedness::unsigned_),
            Patterns({0, 0x7fffffff}));
  // x % 0 = x and MIN % -1 = 0.
  EXPECT_EQ(with_sign(Opcode::remi, i32, {7, 0x80000000}, {0, 0xffffffff}, Signedness::signed_),
            Patterns({7, 0}));
  EXPECT_EQ(with_sign(Opcode::remi, i64, {7, 1ull << 63}, {0, ~0ull}, Signedness::signed_),
            Patterns({7, 0}));
  EXPECT_EQ(with_sign(Opcode::remi, i8, {7, 200}, {0, 7}, Signedness::unsigned_), Patterns({7, 4}));
}

TEST(IntegerOps, DivisionRounds) {
  using enum ElementKind;
  const auto signs = [](RoundingMode rounding) {  // 7/2, -7/2, 7/-2, -7/-2
    return with_sign(Opcode::divi, i8, {7, 249, 7, 249}, {2, 2, 254, 254}, Signedness::signed_,
                     rounding);
  };
  EXPECT_EQ(signs(RoundingMode::zero), Patterns({3, 253, 253, 3}));
  EXPECT_EQ(signs(RoundingMode::negative_inf), Patterns({3, 252, 252, 3}));
  EXPECT_EQ(signs(RoundingMode::positive_inf), Patterns({4, 253, 253, 4}));
  EXPECT_EQ(with_sign(Opcode::divi, i8, {255, 4}, {2, 2}, Signedness::unsigned_,
                      RoundingMode::positive_inf),
            Patterns({128, 2}));
  EXPECT_EQ(with_sign(Opcode::remi, i8, {7, 249, 7, 249}, {2, 2, 254, 254}, Signedness::signed_),
            Patterns({1, 255, 1, 255}));
}

TEST(IntegerOps, ExtremaReadTheSignTheyAreTold) {
  using enum ElementKind;
  const Patterns a{0x80000000, 5};
  const Patterns b{1, 3};
  EXPECT_EQ(with_sign(Opcode::maxi, i32, a, b, Signedness::signed_), Patterns({1, 5}));
  EXPECT_EQ(with_sign(Opcode::maxi, i32, a, b, Signedness::unsigned_), Patterns({0x80000000, 5}));
  EXPECT_EQ(with_sign(Opcode::mini, i32, a, b, Signedness::signed_), Patterns({0x80000000, 3}));
  EXPECT_EQ(with_sign(Opcode::mini, i32, a, b, Signedness::unsigned_), Patterns({1, 3}));
  // As a signed number of one bit, true is -1.
  EXPECT_EQ(with_sign(Opcode::maxi, i1, {0, 1}, {1, 1}, Signedness::signed_), Patterns({0, 1}));
}

TEST(IntegerOps, EveryPairOfBytesMatchesWideArithmetic) {
  using enum ElementKind;
  Patterns a;
  Patterns b;
  for (unsigned x = 0; x < 256; ++x) {
    for (unsigned y = 0; y < 256; ++y) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  const Patterns quotient = with_sign(Opcode::divi, i8, a, b, Signedness::signed_);
  const Patterns remainder = with_sign(Opcode::remi, i8, a, b, Signedness::signed_);
  const Patterns high = evaluate(Opcode::mulhii, i8, {row(i8, a), row(i8, b)});
  for (std::size_t k = 0; k < a.size(); ++k) {
    const int x = static_cast<std::int8_t>(a[k]);
    const int y = static_cast<std::int8_t>(b[k]);
    ASSERT_EQ(quotient[k], static_cast<std::uint8_t>(y == 0 ? 0 : x / y)) << x << " / " << y;
    ASSERT_EQ(remainder[k], static_cast<std::uint8_t>(y == 0 ? x : x % y)) << x << " % " << y;
    ASSERT_EQ(high[k], a[k] * b[k] / 256);
  }
}

}  // namespace
}  // namespace tw::interp_test
