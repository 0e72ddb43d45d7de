// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ir::ComparisonPredicate;
using ir::ComparisonOrdering;
using ir::ComparisonPredicate;
using ir::Signedness;
using Patterns = std::vector<std::uint64_t>;

constexpr ComparisonPredicate predicates[] = {
    equal, not_equal, less_than, less_than_or_equal, greater_than, greater_than_or_equal};

Patterns compare_ints(ComparisonPredicate predicate, Signedness signedness, const Elements& a,
                      const Elements& b) {
  return evaluate({a, b}, [&](ir::Builder& builder, std::span<const Value> values) {
    return builder.compare_int(predicate, values[0], values[1], signedness);
  });
}

Patterns compare_floats(ComparisonPredicate predicate, ComparisonOrdering ordering,
                        const Elements& a, const Elements& b) {
  return evaluate({a, b}, [&](ir::Builder& builder, std::span<const Value> values) {
    return builder.compare_float(predicate, values[0], values[1], ordering);
  });
}

TEST(Comparison, OfIntegersReadsTheSign) {
  const Elements a = row(ElementKind::i8, {0x80, 1, 1, 2});
  const Elements b = row(ElementKind::i8, {1, 0x80, 1, 3});
  const Patterns expected_signed[] = {{0, 0, 1, 0}, {1, 1, 0, 1}, {1, 0, 0, 1},
                                      {1, 0, 1, 1}, {0, 1, 0, 0}, {0, 1, 1, 0}};
  const Patterns expected_unsigned[] = {{0, 0, 1, 0}, {1, 1, 0, 1}, {0, 1, 0, 1},
                                        {0, 1, 1, 1}, {1, 0, 0, 0}, {1, 0, 1, 0}};
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(compare_ints(predicates[k], Signedness::signed_, a, b), expected_signed[k]) << k;
    EXPECT_EQ(compare_ints(predicates[k], Signedness::unsigned_, a, b), expected_unsigned[k]) << k;
  }
}

TEST(Comparison, OfFloatsWithNanIsTrueOnlyWhenUnordered) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Elements a = f32s({1, 2, nan, nan, 0.0f, -1, 1, 3});
  const Elements b = f32s({2, 1, 1, nan, -0.0f, -1, nan, 3});
  const Patterns ordered[] = {{0, 0, 0, 0, 1, 1, 0, 1}, {1, 1, 0, 0, 0, 0, 0, 0},
                              {1, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 1, 1, 0, 1},
                              {0, 1, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 1, 1, 0, 1}};
  for (std::size_t k = 0; k < 6; ++k) {
    Patterns unordered = ordered[k];
    for (const std::size_t with_nan : {2u, 3u, 6u}) unordered[with_nan] = 1;
    EXPECT_EQ(compare_floats(predicates[k], ComparisonOrdering::ordered, a, b), ordered[k]) << k;
    EXPECT_EQ(compare_floats(predicates[k], ComparisonOrdering::unordered, a, b), unordered) << k;
  }
}

TEST(Comparison, OfNarrowFloats) {
  // -0 = 0; 2^-24 (subnormal) < 1; a NaN differs from itself.
  const Elements a = row(ElementKind::f16, {0x8000, 0x0001, 0x7e00, 0xfc00});
  const Elements b = row(ElementKind::f16, {0x0000, 0x3c00, 0x7e00, 0x7c00});
  EXPECT_EQ(compare_floats(equal, ComparisonOrdering::ordered, a, b), Patterns({1, 0, 0, 0}));
  EXPECT_EQ(compare_floats(less_than, ComparisonOrdering::ordered, a, b), Patterns({0, 1, 0, 1}));
  EXPECT_EQ(compare_floats(not_equal, ComparisonOrdering::unordered, a, b), Patterns({0, 1, 1, 1}));
}

TEST(Select, TakesEitherBitForBit) {
  const Elements condition = row(ElementKind::i1, {1, 0, 0, 1});
  for (const ElementKind kind : {ElementKind::f32, ElementKind::bf16, ElementKind::f8e4m3}) {
    EXPECT_EQ(evaluate(Opcode::select, kind,
                       {condition, row(kind, {1, 2, 3, 0x7f}), row(kind, {5, 6, 7, 8})}),
              Patterns({1, 6, 7, 0x7f}));
  }
}

}  // namespace
}  // namespace tw::interp_test
