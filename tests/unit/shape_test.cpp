// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tilewright/core/shape.hpp>

namespace {

using testing::ElementsAre;
using tw::Shape;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::vector<std::int64_t> values(const Shape& shape) { return {shape.begin(), shape.end()}; }

TEST(Shape, RankZeroIsAScalar) {
  EXPECT_TRUE(Shape().empty());
  EXPECT_EQ(to_string(Shape()), "scalar");
  EXPECT_EQ(tw::product({}), 1);
  EXPECT_EQ(tw::checked_product({}), 1);
}

TEST(Shape, TextJoinsExtentsByX) {
  EXPECT_EQ(to_string(Shape{7}), "7");
  EXPECT_EQ(to_string(Shape{4, 8}), "4x8");
  EXPECT_EQ(to_string(Shape{-1, 0, 16}), "-1x0x16");
}

TEST(Shape, InsertsAndErasesAtAnyAxis) {
  Shape shape{2, 3};
  shape.insert(0, 1);
  shape.insert(3, 4);
  shape.insert(1, 9);
  EXPECT_THAT(values(shape), ElementsAre(1, 9, 2, 3, 4));
  shape.erase(1);
  shape.erase(3);
  shape.erase(0);
  EXPECT_THAT(values(shape), ElementsAre(2, 3));
}

TEST(Shape, ComparesRankAndValues) {
  EXPECT_EQ((Shape{1, 2}), (Shape{1, 2}));
  EXPECT_NE((Shape{1, 2}), (Shape{2, 1}));
  EXPECT_NE((Shape{1}), (Shape{1, 1}));
  Shape shorter{1, 2, 3};
  shorter.erase(2);
  EXPECT_EQ(shorter, (Shape{1, 2}));
}

TEST(Shape, FilledHoldsOneValueOnEveryAxis) {
  EXPECT_EQ(Shape::filled(3, 5), (Shape{5, 5, 5}));
  EXPECT_EQ(values(Shape::filled(20, -1)), std::vector<std::int64_t>(20, -1));
}

TEST(Shape, MovedFromHasRankZeroAndCanBeReused) {
  for (const std::size_t rank : {2u, 12u}) {
    Shape source = Shape::filled(rank, 6);
    Shape target{1};
    target = std::move(source);
    EXPECT_EQ(target, Shape::filled(rank, 6));
    source = Shape{4};
    EXPECT_EQ(source, Shape{4});
  }
}

TEST(Shape, AssignmentToItselfChangesNothing) {
  Shape shape = Shape::filled(10, 3);
  const Shape& alias = shape;
  shape = alias;
  EXPECT_EQ(shape, Shape::filled(10, 3));
}

TEST(Shape, CheckedProductSeesOverflow) {
  EXPECT_EQ(tw::checked_product({3, 5, 7}), 105);
  EXPECT_EQ(tw::checked_product({std::int64_t{1} << 31, std::int64_t{1} << 31}),
            std::int64_t{1} << 62);
  EXPECT_EQ(tw::checked_product({largest}), largest);
  EXPECT_EQ(tw::checked_product({std::int64_t{1} << 32, std::int64_t{1} << 31}), std::nullopt);
  EXPECT_EQ(tw::checked_product({largest, 2}), std::nullopt);
  EXPECT_EQ(tw::checked_product({largest, largest, 0}), 0);
}

RC_GTEST_PROP(Shape, BehavesLikeAVector, (const std::vector<std::int64_t>& steps)) {
  Shape shape;
  std::vector<std::int64_t> model;
  for (const std::int64_t step : steps) {
    const auto pick = static_cast<std::uint64_t>(step);
    if (pick % 4 == 0 && !model.empty()) {
      const std::size_t axis = pick / 4 % model.size();
      shape.erase(axis);
      model.erase(model.begin() + static_cast<std::ptrdiff_t>(axis));
    } else {
      const std::size_t axis = pick / 4 % (model.size() + 1);
      shape.insert(axis, step);
      model.insert(model.begin() + static_cast<std::ptrdiff_t>(axis), step);
    }
    const Shape copy = shape;
    RC_ASSERT(copy == shape);
    RC_ASSERT(values(copy) == model);
  }
}

}  // namespace
