// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using Patterns = std::vector<std::uint64_t>;

std::vector<float> of_f32(Opcode code, const std::vector<std::vector<float>>& operands) {
  std::vector<Elements> elements;
  for (const auto& operand : operands) elements.push_back(f32s(operand));
  std::vector<float> result;
  for (const std::uint64_t pattern : evaluate(code, ElementKind::f32, elements)) {
    result.push_back(as_float(pattern));
  }
  return result;
}

constexpr float inf = std::numeric_limits<float>::infinity();

// Values to 24 bits, from tables.
TEST(Functions, GiveTheNearestFloat) {
  using Floats = std::vector<float>;
  EXPECT_EQ(of_f32(Opcode::exp, {{0, 1, -1, 200}}),
            Floats({1, 2.71828182846f, 0.367879441171f, inf}));
  EXPECT_EQ(of_f32(Opcode::exp2, {{0, 10, -149, 0.5f}}),
            Floats({1, 1024, 0x1p-149f, 1.41421356237f}));
  EXPECT_EQ(of_f32(Opcode::log, {{1, 2, 0, 10}}),
            Floats({0, 0.693147180560f, -inf, 2.30258509299f}));
  EXPECT_EQ(of_f32(Opcode::log2, {{8, 10, 0x1p-149f, 1}}), Floats({3, 3.32192809489f, -149, 0}));
  EXPECT_EQ(of_f32(Opcode::sin, {{0, 1, 100000}}).at(1), 0.841470984808f);
  EXPECT_EQ(of_f32(Opcode::sin, {{100000, 1e10f}}), Floats({0.0357487979720f, -0.487506025175f}));
  EXPECT_EQ(of_f32(Opcode::cos, {{0, 1}}), Floats({1, 0.540302305868f}));
  EXPECT_EQ(of_f32(Opcode::tan, {{0, 1}}), Floats({0, 1.55740772465f}));
  EXPECT_EQ(of_f32(Opcode::sinh, {{0, 1}}), Floats({0, 1.17520119364f}));
  EXPECT_EQ(of_f32(Opcode::cosh, {{0, 1}}), Floats({1, 1.54308063482f}));
  EXPECT_EQ(of_f32(Opcode::tanh, {{0.5f, 1, 20, -inf}}),
            Floats({0.462117157260f, 0.761594155956f, 1, -1}));
  EXPECT_EQ(of_f32(Opcode::rsqrt, {{2, 4, 0, inf}}), Floats({0.707106781187f, 0.5f, inf, 0}));
  EXPECT_EQ(of_f32(Opcode::pow, {{2, 2, -2, 0}, {10, 0.5f, 3, 0}}),
            Floats({1024, 1.41421356237f, -8, 1}));
  // The first operand is the ordinate.
  EXPECT_EQ(of_f32(Opcode::atan2, {{1, 1, -1, 0.0f}, {1, -1, 0, -1}}),
            Floats({0.785398163397f, 2.35619449019f, -1.57079632679f, 3.14159265359f}));
  EXPECT_TRUE(std::isnan(of_f32(Opcode::log, {{-1, 1}})[0]));
}

TEST(Functions, RemainderHasTheSignOfTheDividend) {
  EXPECT_EQ(of_f32(Opcode::remf, {{7.5f, -7.5f, 7.5f, 1e30f}, {2, 2, -2, 3}}),
            std::vector<float>({1.5f, -1.5f, 1.5f, std::fmod(1e30f, 3.0f)}));
  EXPECT_TRUE(std::isnan(of_f32(Opcode::remf, {{1, inf}, {0, 1}})[0]));
}

TEST(Functions, IntegerPowersKeepTheSignOfOddOnes) {
  EXPECT_EQ(evaluate(Opcode::fpowi, ElementKind::f32,
                     {f32s({-2, -2, 2, 0}), row(ElementKind::i8, {3, 4, 0xff, 0})}),
            all_bits<float>({-8, 16, 0.5f, 1}));
  EXPECT_EQ(evaluate(Opcode::fpowi, ElementKind::f64,
                     {f64s({-1, 1.5}), row(ElementKind::i32, {0x7fffffff, 2})}),
            all_bits<double>({-1, 2.25}));
}

TEST(Functions, OfNarrowTypesRoundTheDouble) {
  // e = 2.71828 -> f16 0x4170 (2.71875), bf16 0x402e (2.71875); e^12 overflows f16 only.
  EXPECT_EQ(evaluate(Opcode::exp, ElementKind::f16, {row(ElementKind::f16, {0x3c00, 0x4a00})}),
            Patterns({0x4170, 0x7c00}));
  EXPECT_EQ(evaluate(Opcode::exp, ElementKind::bf16, {row(ElementKind::bf16, {0x3f80, 0xc080})}),
            Patterns({0x402e, 0x3c96}));
  EXPECT_EQ(evaluate(Opcode::exp, ElementKind::f64, {f64s({1, 0})}),
            all_bits<double>({2.718281828459045, 1}));
}

}  // namespace
}  // namespace tw::interp_test
