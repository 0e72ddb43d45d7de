// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>

#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/attribute.hpp>

namespace tw::ir {
namespace {

using enum ElementKind;

Constant bytes(std::initializer_list<int> values) {
  Constant constant;
  for (const int value : values) constant.bytes.push_back(static_cast<std::byte>(value));
  return constant;
}

TEST(Constant, StoresElementsLittleEndianAtTheirOwnSize) {
  EXPECT_EQ(dense(i32, {1, 0x01020304}), bytes({1, 0, 0, 0, 4, 3, 2, 1}));
  EXPECT_EQ(dense(f16, {0x7c00, 0x3c00}), bytes({0x00, 0x7c, 0x00, 0x3c}));
  EXPECT_EQ(dense(tf32, {0x7ffff, 1}), bytes({0xff, 0xff, 0x07, 1, 0, 0}));
  EXPECT_EQ(dense(f4e2m1, {7, 15}), bytes({7, 15}));
  EXPECT_EQ(splat(f64, 0x3ff0000000000000), bytes({0, 0, 0, 0, 0, 0, 0xf0, 0x3f}));
}

TEST(Constant, PacksBooleansFromTheLowestBit) {
  EXPECT_EQ(dense(i1, {1, 0, 1, 1, 0, 0, 0, 0, 0, 1}), bytes({0x0d, 0x02}));
  EXPECT_EQ(splat(i1, 1), bytes({0xff}));
  EXPECT_EQ(splat(i1, 0), bytes({0x00}));
}

TEST(Constant, StoresEqualElementsOnce) {
  EXPECT_EQ(dense(i32, {7, 7, 7}), splat(i32, 7));
  EXPECT_EQ(dense(i1, {1, 1, 1}), splat(i1, 1));
  EXPECT_TRUE(is_splat(splat(i32, 7), i32, 3));
  EXPECT_TRUE(is_splat(splat(i1, 0), i1, 16));
  EXPECT_TRUE(is_splat(dense(i8, {9}), i8, 1));
  EXPECT_FALSE(is_splat(dense(i32, {7, 8, 7}), i32, 3));
  EXPECT_FALSE(is_splat(dense(i1, {1, 0}), i1, 2));
}

TEST(Constant, GivesBackEveryElement) {
  for (const ElementKind kind : {i1, i8, i16, i32, i64, f16, tf32, f32, f64, f8e5m2, f4e2m1}) {
    const std::uint64_t top = std::uint64_t{1} << (info(kind).bits - 1);
    const std::vector<std::uint64_t> bits{top, 0, top, top, 0, 0, top, 0, 0, top, 0, top};
    const Constant constant = dense(kind, bits);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      EXPECT_EQ(element_bits(constant, kind, i), bits[i]) << info(kind).name << " " << i;
    }
    EXPECT_EQ(element_bits(splat(kind, top), kind, 11), top) << info(kind).name;
  }
}

TEST(Constant, FitsItsTileOrIsASplat) {
  EXPECT_TRUE(fits(dense(i32, {1, 2, 3}), i32, 3));
  EXPECT_TRUE(fits(splat(i32, 1), i32, 3));
  EXPECT_FALSE(fits(dense(i32, {1, 2, 3}), i32, 4));
  EXPECT_TRUE(fits(dense(i1, {1, 0, 1}), i1, 3));
  EXPECT_TRUE(fits(dense(i1, {1, 0, 1}), i1, 8));
  EXPECT_FALSE(fits(dense(i1, {1, 0, 1}), i1, 9));
  EXPECT_TRUE(fits(splat(i1, 1), i1, 9));
}

TEST(Constant, NeedsAnElement) { EXPECT_THROW(dense(i32, {}), BugError); }

}  // namespace
}  // namespace tw::ir
