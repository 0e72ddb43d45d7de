// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <gtest/gtest.h>

#include "tests/interp/test_kernel.hpp"

namespace tw::interp_test {
namespace {

using enum ElementKind;
using Patterns = std::vector<std::uint64_t>;

Patterns counting(std::uint64_t count) {
  Patterns result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

Patterns shaped(
    Opcode code, const std::vector<Elements>& operands, const Shape& shape,
    const std::function<void(OpDraft&)>& attributes = [](OpDraft&) {}) {
  return evaluate(operands, [&](ir::Builder& builder, std::span<const Value> values) {
    OpDraft draft(code);
    for (const Value value : values) draft.operand(value);
    attributes(draft);
    return builder.append(draft, {ir::tile_type(operands[0].kind, shape)});
  });
}

TEST(Broadcast, RepeatsAxesOfOne) {
  EXPECT_EQ(shaped(Opcode::broadcast, {{i8, {2, 1}, {3, 4}}}, {2, 4}),
            Patterns({3, 3, 3, 3, 4, 4, 4, 4}));
  EXPECT_EQ(shaped(Opcode::broadcast, {{i32, {1, 2}, {3, 4}}}, {4, 2}),
            Patterns({3, 4, 3, 4, 3, 4, 3, 4}));
  EXPECT_EQ(shaped(Opcode::broadcast, {{i64, {2, 1, 2}, {1, 2, 3, 4}}}, {2, 2, 2}),
            Patterns({1, 2, 1, 2, 3, 4, 3, 4}));
  EXPECT_EQ(shaped(Opcode::broadcast, {{f16, {1, 1}, {7}}}, {2, 2}), Patterns(4, 7));
}

TEST(Permute, TakesResultAxisFromSourceAxis) {
  const auto permutation = [](ir::IntArray axes) {
    return [axes](OpDraft& draft) { draft.set(AttributeName::permutation, ir::Attribute(axes)); };
  };
  EXPECT_EQ(shaped(Opcode::permute, {{i32, {2, 4}, counting(8)}}, {4, 2}, permutation({1, 0})),
            Patterns({0, 4, 1, 5, 2, 6, 3, 7}));
  // Result [i][j][k] = source [j][k][i] for the permutation (2, 0, 1).
  const Patterns result =
      shaped(Opcode::permute, {{i8, {2, 4, 8}, counting(64)}}, {8, 2, 4}, permutation({2, 0, 1}));
  for (std::uint64_t i = 0; i < 8; ++i) {
    for (std::uint64_t j = 0; j < 2; ++j) {
      for (std::uint64_t k = 0; k < 4; ++k) {
        EXPECT_EQ(result[(i * 2 + j) * 4 + k], (j * 4 + k) * 8 + i);
      }
    }
  }
}

TEST(Permute, WorksOnSixAxes) {
  const Patterns result =
      shaped(Opcode::permute, {{i16, {2, 2, 2, 2, 2, 2}, counting(64)}}, {2, 2, 2, 2, 2, 2},
             [](OpDraft& draft) {
               draft.set(AttributeName::permutation, ir::Attribute(ir::IntArray{5, 4, 3, 2, 1, 0}));
             });
  for (std::uint64_t k = 0; k < 64; ++k) {
    std::uint64_t reversed = 0;
    for (unsigned bit = 0; bit < 6; ++bit) reversed |= ((k >> bit) & 1) << (5 - bit);
    EXPECT_EQ(result[k], reversed);
  }
}

TEST(Cat, JoinsAlongAnyAxis) {
  const std::vector<Elements> parts{{i32, {2, 2}, {1, 2, 3, 4}}, {i32, {2, 2}, {5, 6, 7, 8}}};
  const auto along = [](std::int64_t axis) {
    return [axis](OpDraft& draft) { draft.set(AttributeName::dim, ir::Attribute(axis)); };
  };
  EXPECT_EQ(shaped(Opcode::cat, parts, {4, 2}, along(0)), Patterns({1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(shaped(Opcode::cat, parts, {2, 4}, along(1)), Patterns({1, 2, 5, 6, 3, 4, 7, 8}));
}

TEST(Extract, CountsSlices) {
  const auto slice = [](std::uint64_t row_index, std::uint64_t column_index) {
    return evaluate(
        {{i32, {4, 8}, counting(32)}, {i32, {}, {row_index}}, {i32, {}, {column_index}}},
        [](ir::Builder& builder, std::span<const Value> values) {
          return builder.append(
              OpDraft(Opcode::extract).operand(values[0]).group({values[1], values[2]}),
              {ir::tile_type(i32, {2, 4})});
        });
  };
  EXPECT_EQ(slice(0, 0), Patterns({0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(slice(1, 1), Patterns({20, 21, 22, 23, 28, 29, 30, 31}));
}

TEST(Insert, ReplacesASlice) {
  const Patterns result = evaluate(
      {{i32, {1, 2}, {90, 91}}, {i32, {2, 4}, counting(8)}, {i32, {}, {1}}, {i32, {}, {1}}},
      [](ir::Builder& builder, std::span<const Value> values) {
        return builder.append(OpDraft(Opcode::insert)
                                  .operand(values[0])
                                  .operand(values[1])
                                  .group({values[2], values[3]}),
                              {builder.type(values[1])});
      });
  EXPECT_EQ(result, Patterns({0, 1, 2, 3, 4, 5, 90, 91}));
}

TEST(Iota, CountsUpModuloTheWidth) {
  EXPECT_EQ(evaluate({},
                     [](ir::Builder& builder, std::span<const Value>) {
                       return builder.simple(Opcode::iota, ir::tile_type(i8, {256}), {});
                     }),
            counting(256));
  EXPECT_EQ(evaluate({},
                     [](ir::Builder& builder, std::span<const Value>) {
                       return builder.simple(Opcode::iota, ir::tile_type(i1, {2}), {});
                     }),
            Patterns({0, 1}));
}

TEST(Reshape, KeepsRowMajorOrder) {
  EXPECT_EQ(shaped(Opcode::reshape, {{i32, {2, 4}, counting(8)}}, {4, 2}), counting(8));
  EXPECT_EQ(shaped(Opcode::reshape, {{i32, {1, 1}, {5}}}, {}), Patterns({5}));
}

TEST(Constant, OfEveryKindAndSize) {
  const auto identity = [](ir::Builder&, std::span<const Value> values) { return values[0]; };
  EXPECT_EQ(evaluate({row(i1, {1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1})}, identity),
            Patterns({1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1}));
  EXPECT_EQ(evaluate({row(tf32, {0x1fc00, 0x20001})}, identity), Patterns({0x1fc00, 0x20001}));
  EXPECT_EQ(evaluate({row(f4e2m1, {1, 15})}, identity), Patterns({1, 15}));
  // Beyond what is kept in the arena: a splat and a list.
  EXPECT_EQ(evaluate({row(i64, Patterns(4096, 7))}, identity), Patterns(4096, 7));
  EXPECT_EQ(evaluate({row(i64, counting(4096))}, identity), counting(4096));
}

}  // namespace
}  // namespace tw::interp_test
