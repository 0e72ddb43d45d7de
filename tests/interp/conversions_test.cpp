// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;
using ir::RoundingMode;
using ir::Signedness;
using Patterns = std::vector<std::uint64_t>;

struct How {
  Signedness signedness = Signedness::signed_;
  RoundingMode rounding = RoundingMode::nearest_even;
};

Patterns convert(Opcode code, const Elements& from, ElementKind to, How how = {}) {
  return evaluate({from}, [&](ir::Builder& builder, std::span<const Value> values) {
    OpDraft draft(code);
    draft.operand(values[0]);
    if (ir::attribute_index(ir::row(code), AttributeName::signedness) >= 0) {
      draft.set(AttributeName::signedness, how.signedness);
    }
    if (ir::attribute_index(ir::row(code), AttributeName::rounding) >= 0) {
      draft.set(AttributeName::rounding, how.rounding);
    }
    return builder.append(draft, {ir::tile_type(to, from.shape)});
  });
}

constexpr How as_unsigned{.signedness = Signedness::unsigned_};
constexpr How truncating{.rounding = RoundingMode::nearest_int_to_zero};
constexpr How truncating_unsigned{Signedness::unsigned_, RoundingMode::nearest_int_to_zero};

TEST(Conversions, ExtendAndTruncateIntegers) {
  EXPECT_EQ(convert(Opcode::exti, row(i8, {0x80, 1}), i32), Patterns({0xffffff80, 1}));
  EXPECT_EQ(convert(Opcode::exti, row(i8, {0x80, 1}), i32, as_unsigned), Patterns({0x80, 1}));
  EXPECT_EQ(convert(Opcode::exti, row(i1, {1, 0}), i8), Patterns({0xff, 0}));
  EXPECT_EQ(convert(Opcode::exti, row(i1, {1, 0}), i64, as_unsigned), Patterns({1, 0}));
  EXPECT_EQ(convert(Opcode::exti, row(i32, {0x80000000, 7}), i64),
            Patterns({0xffffffff80000000, 7}));
  EXPECT_EQ(convert(Opcode::trunci, row(i32, {0x12345678, 0xffffffff}), i16),
            Patterns({0x5678, 0xffff}));
  EXPECT_EQ(convert(Opcode::trunci, row(i64, {3, 4}), i1), Patterns({1, 0}));
}

TEST(Conversions, OfFourBitIntegers) {
  const auto through_i4 = [](Signedness signedness) {
    return evaluate({row(i8, {0x17, 0x0f, 0x08, 0xf1})}, [&](ir::Builder& builder,
                                                             std::span<const Value> values) {
      const Value nibbles =
          builder.append(OpDraft(Opcode::trunci).operand(values[0]), {ir::tile_type(i4, {4})});
      return builder.append(
          OpDraft(Opcode::exti).operand(nibbles).set(AttributeName::signedness, signedness),
          {ir::tile_type(i8, {4})});
    });
  };
  EXPECT_EQ(through_i4(Signedness::unsigned_), Patterns({7, 15, 8, 1}));
  EXPECT_EQ(through_i4(Signedness::signed_), Patterns({7, 0xff, 0xf8, 1}));
}

TEST(Conversions, IntegersBecomeTheNearestFloat) {
  EXPECT_EQ(convert(Opcode::itof, row(i32, {0xffffffff, 16777217}), f32),
            all_bits<float>({-1, 16777216}));
  EXPECT_EQ(convert(Opcode::itof, row(i32, {0xffffffff, 1}), f32, as_unsigned),
            all_bits<float>({4294967296.0f, 1}));
  EXPECT_EQ(convert(Opcode::itof, row(i1, {1, 0}), f32), all_bits<float>({-1, 0}));
  EXPECT_EQ(convert(Opcode::itof, row(i1, {1, 0}), f32, as_unsigned), all_bits<float>({1, 0}));
  // 2^62 + 2^54 is a tie of bf16 that the last bit breaks; a detour over double would lose it.
  EXPECT_EQ(convert(Opcode::itof, row(i64, {(1ull << 62) + (1ull << 54) + 1, 1ull << 62}), bf16),
            Patterns({0x5e81, 0x5e80}));
  EXPECT_EQ(convert(Opcode::itof, row(i32, {65520, 65519}), f16), Patterns({0x7c00, 0x7bff}));
}

TEST(Conversions, FloatsBecomeIntegersBySaturation) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(convert(Opcode::ftoi, f32s({1.9f, -1.9f, nan, inf, -inf, 3e9f, -0.9f, 127.5f}), i32,
                    truncating),
            Patterns({1, 0xffffffff, 0, 0x7fffffff, 0x80000000, 0x7fffffff, 0, 127}));
  EXPECT_EQ(convert(Opcode::ftoi, f32s({1.9f, -1.9f, nan, inf, -inf, 3e9f, -0.9f, 300}), i8,
                    truncating_unsigned),
            Patterns({1, 0, 0, 255, 0, 255, 0, 255}));
  EXPECT_EQ(convert(Opcode::ftoi, f32s({-129, -128, 127.9f, 200}), i8, truncating),
            Patterns({0x80, 0x80, 127, 127}));
  EXPECT_EQ(convert(Opcode::ftoi, f64s({9.3e18, -9.3e18, 1e18, 0x1p63 - 1024}), i64, truncating),
            Patterns({~0ull >> 1, 1ull << 63, 1000000000000000000, (1ull << 63) - 1024}));
  EXPECT_EQ(convert(Opcode::ftoi, f64s({2e19, 1.8e19, -1, 0.5}), i64, truncating_unsigned),
            Patterns({~0ull, 18000000000000000000ull, 0, 0}));
  EXPECT_EQ(convert(Opcode::ftoi, f32s({1, 0.5f, 7, -1}), i1, truncating_unsigned),
            Patterns({1, 0, 1, 0}));
  EXPECT_EQ(convert(Opcode::ftoi, row(f16, {0x4248, 0xfc00}), i16, truncating),
            Patterns({3, 0x8000}));
}

TEST(Conversions, BetweenFloatsRoundAsAsked) {
  EXPECT_EQ(convert(Opcode::ftof, f32s({1 + 0x1p-11f, 1 + 0x1p-11f + 0x1p-20f, 65520, 1e-8f}), f16),
            Patterns({0x3c00, 0x3c01, 0x7c00, 0x0000}));
  EXPECT_EQ(
      convert(Opcode::ftof, f32s({1 + 0x1p-11f, 65520}), f16, {.rounding = RoundingMode::zero}),
      Patterns({0x3c00, 0x7bff}));
  EXPECT_EQ(convert(Opcode::ftof, f64s({1 + 0x1p-24, 1 + 0x1p-24}), f32,
                    {.rounding = RoundingMode::positive_inf}),
            all_bits<float>({1 + 0x1p-23f, 1 + 0x1p-23f}));
  EXPECT_EQ(convert(Opcode::ftof, row(f16, {0x0001, 0xfbff}), f32),
            all_bits<float>({0x1p-24f, -65504}));
  EXPECT_EQ(convert(Opcode::ftof, f32s({1 + 0x1p-11f, 3}), tf32,
                    {.rounding = RoundingMode::nearest_away}),
            Patterns({0x1fc01, 0x20200}));
  EXPECT_EQ(convert(Opcode::ftof, f32s({448, 1000, 0x1p-9f, -2}), f8e4m3),
            Patterns({0x7e, 0x7e, 0x01, 0xc0}));
  EXPECT_EQ(convert(Opcode::ftof, f32s({3, 1}), f8e8m0, {.rounding = RoundingMode::positive_inf}),
            Patterns({129, 127}));
  EXPECT_EQ(convert(Opcode::ftof, f32s({2.5f, -6}), f4e2m1), Patterns({0x4, 0xf}));
}

TEST(Conversions, ANanStaysANan) {
  const Elements nan = row(f32, {0x7fffffff, 0xff800001});
  for (const std::uint64_t pattern : convert(Opcode::ftof, nan, bf16)) {
    EXPECT_TRUE(formats::bf16.is_nan(pattern));
  }
  for (const std::uint64_t pattern : convert(Opcode::ftof, nan, f16)) {
    EXPECT_TRUE(formats::f16.is_nan(pattern));
  }
}

TEST(Bitcast, KeepsTheBits) {
  EXPECT_EQ(evaluate(Opcode::bitcast, i32, {f32s({1, -0.0f})}), Patterns({0x3f800000, 0x80000000}));
  EXPECT_EQ(evaluate(Opcode::bitcast, f8e5m2, {row(i8, {0x7f, 0x80})}), Patterns({0x7f, 0x80}));
  EXPECT_EQ(evaluate(Opcode::bitcast, bf16, {row(f16, {0x7c01, 0x1234})}),
            Patterns({0x7c01, 0x1234}));
}

Patterns pack_round_trip(const Elements& elements, std::int64_t bytes, Patterns* packed = nullptr) {
  const auto pack = [&](ir::Builder& builder, Value value) {
    return builder.simple(Opcode::pack, ir::tile_type(i8, {bytes}), {value});
  };
  if (packed) {
    *packed = evaluate({elements}, [&](ir::Builder& builder, std::span<const Value> values) {
      return pack(builder, values[0]);
    });
  }
  return evaluate({elements}, [&](ir::Builder& builder, std::span<const Value> values) {
    return builder.simple(Opcode::unpack, ir::tile_type(elements.kind, elements.shape),
                          {pack(builder, values[0])});
  });
}

TEST(Pack, LaysElementsOutAsInMemory) {
  Patterns packed;
  const Elements halves = row(f16, {0x1234, 0xabcd});
  EXPECT_EQ(pack_round_trip(halves, 4, &packed), halves.patterns);
  EXPECT_EQ(packed, Patterns({0x34, 0x12, 0xcd, 0xab}));

  const Elements nibbles = row(f4e2m1, {1, 2, 3, 15});
  EXPECT_EQ(pack_round_trip(nibbles, 2, &packed), nibbles.patterns);
  EXPECT_EQ(packed, Patterns({0x21, 0xf3}));

  const Elements truths = row(i1, {1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(pack_round_trip(truths, 2, &packed), truths.patterns);
  EXPECT_EQ(packed, Patterns({0x8d, 0x02}));
}

}  // namespace
}  // namespace tw::interp_test
