// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/mut.hpp>
#include <tilewright/runtime/tensor.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "tests/runtime/thrown.hpp"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tw::LaunchError;
using tw::Shape;
using tw::testing::thrown_by;

/// 0, 1, 2, ... in row-major order.
template <class... N>
auto counting(N... extents) {
  std::vector<std::int32_t> values(static_cast<std::size_t>((extents * ...)));
  std::iota(values.begin(), values.end(), 0);
  return tw::from_host(values, extents...);
}

TEST(View, SharesTheMemoryOfItsTensor) {
  auto t = counting(2, 3);
  const tw::View<std::int32_t, 2> v = t;
  tw::copy(tw::mut(t), tw::filled(t.device(), 7, 2, 3));
  EXPECT_THAT(tw::to_host(v), ElementsAre(7, 7, 7, 7, 7, 7));
}

TEST(View, OutlivesItsTensor) {
  const auto last_row = [] {
    const auto t = counting(2, 3);
    return t.slice(0, 1, 1);
  }();
  EXPECT_THAT(tw::to_host(last_row), ElementsAre(3, 4, 5));
}

TEST(View, TransposesTheLastTwoAxes) {
  const auto v = counting(2, 2, 3).transposed();
  EXPECT_EQ(v.shape(), (Shape{2, 3, 2}));
  EXPECT_EQ(v.strides(), (Shape{6, 1, 3}));
  EXPECT_THAT(tw::to_host(v), ElementsAre(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11));
}

TEST(View, PermutesAxes) {
  const auto t = counting(2, 3, 4);
  const auto v = t.permuted({2, 0, 1});
  EXPECT_EQ(v.shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(v.strides(), (Shape{1, 12, 4}));
  const auto values = tw::to_host(v);
  // Element (3, 1, 2) of the view is element (1, 2, 3) of the tensor: 12 + 8 + 3.
  EXPECT_EQ(values[3 * 6 + 1 * 3 + 2], 23);
  const auto twice = thrown_by<LaunchError>([&] { (void)t.permuted({0, 0, 1}); });
  EXPECT_THAT(twice.what(), HasSubstr("the axes {0, 0, 1} are no permutation of 0 to 2"));
  EXPECT_THROW((void)t.permuted({0, 1, 3}), LaunchError);
  EXPECT_THROW((void)t.permuted({-1, 0, 1}), LaunchError);
}

TEST(View, ReshapesWhatIsInRowMajorOrder) {
  const auto t = counting(2, 6);
  EXPECT_EQ(t.reshape({3, 4}).strides(), (Shape{4, 1}));
  EXPECT_THAT(tw::to_host(t.slice(0, 1, 1).reshape({2, 3})), ElementsAre(6, 7, 8, 9, 10, 11));
  const auto size = thrown_by<LaunchError>([&] { (void)t.reshape({5}); });
  EXPECT_THAT(size.what(), HasSubstr("a 2x6 tensor has 12 elements, a 5 tensor 5"));
  const auto order = thrown_by<LaunchError>([&] { (void)t.transposed().reshape({12}); });
  EXPECT_THAT(order.what(), HasSubstr("a 6x2 tensor with strides 1x6 is not in row-major order"));
  EXPECT_THAT(order.what(), HasSubstr("clone"));
  EXPECT_THAT(tw::to_host(tw::clone(t.transposed()).reshape({12})),
              ElementsAre(0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11));
}

TEST(View, IgnoresTheStridesOfUnitAxesWhenReshaping) {
  const auto column = counting(4, 1, 3).transposed();  // 4x3x1, the unit axis with stride 3
  EXPECT_EQ(column.strides(), (Shape{3, 1, 3}));
  EXPECT_EQ(column.reshape({12}).strides(), (Shape{1}));
}

TEST(View, SlicesAnAxis) {
  const auto t = counting(3, 4);
  const auto v = t.slice(1, 1, 2);
  EXPECT_EQ(v.shape(), (Shape{3, 2}));
  EXPECT_EQ(v.strides(), (Shape{4, 1}));
  EXPECT_THAT(tw::to_host(v), ElementsAre(1, 2, 5, 6, 9, 10));
  EXPECT_THAT(tw::to_host(v.slice(0, 2, 1)), ElementsAre(9, 10));
  EXPECT_EQ(t.slice(0, 3, 0).size(), 0);
  const auto past = thrown_by<LaunchError>([&] { (void)t.slice(1, 2, 3); });
  EXPECT_THAT(past.what(), HasSubstr("axis 1 of a 3x4 tensor has no 3 indices from 2"));
  EXPECT_THROW((void)t.slice(0, -1, 1), LaunchError);
  EXPECT_THROW((void)t.slice(0, 1, INT64_MAX), LaunchError);
  const auto axis = thrown_by<LaunchError>([&] { (void)t.slice(2, 0, 1); });
  EXPECT_THAT(axis.what(), HasSubstr("a tensor of rank 2 has no axis 2"));
}

TEST(View, SplitsAnAxis) {
  const auto t = counting(2, 5);
  const auto [left, right] = t.split(1, 2);
  EXPECT_THAT(tw::to_host(left), ElementsAre(0, 1, 5, 6));
  EXPECT_THAT(tw::to_host(right), ElementsAre(2, 3, 4, 7, 8, 9));
  EXPECT_THROW((void)t.split(1, 6), LaunchError);
}

TEST(View, ExpandsUnitAxesWithStrideZero) {
  const auto row = counting(1, 3);
  const auto v = row.expanded({2, 2, 3});
  EXPECT_EQ(v.strides(), (Shape{0, 0, 1}));
  EXPECT_THAT(tw::to_host(v), ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
  const auto error = thrown_by<LaunchError>([&] { (void)row.expanded({3, 4}); });
  EXPECT_THAT(error.what(), HasSubstr("a 1x3 tensor does not expand to 3x4"));
  EXPECT_THROW((void)row.expanded({3}), LaunchError);
  // Even of an rvalue it is a view: what is written has no two indices for one element.
  static_assert(
      std::is_same_v<decltype(counting(1, 3).expanded({2, 3})), tw::View<std::int32_t, 2>>);
}

TEST(View, OfAnRvalueIsATensor) {
  auto [left, right] = counting(2, 4).split(1, 2);
  static_assert(std::is_same_v<decltype(left), tw::Tensor<std::int32_t, 2>>);
  tw::copy(tw::mut(left), tw::filled(left.device(), -1, 2, 2));
  EXPECT_THAT(tw::to_host(left), ElementsAre(-1, -1, -1, -1));
  EXPECT_THAT(tw::to_host(right), ElementsAre(2, 3, 6, 7));
  EXPECT_THAT(tw::to_host(std::move(right).transposed().slice(0, 1, 1)), ElementsAre(3, 7));
  EXPECT_EQ(counting(2, 6).reshape({4, 3}).permuted({1, 0}).shape(), (Shape{3, 4}));
}

TEST(Shared, IsReadForEver) {
  const auto shared = counting(2, 2).share();
  const auto copy = shared;
  static_assert(std::is_copy_constructible_v<tw::Shared<float, 2>>);
  EXPECT_THAT(tw::to_host(copy.transposed()), ElementsAre(0, 2, 1, 3));
  const tw::View<std::int32_t, 2> view = shared;
  EXPECT_THAT(tw::to_host(view), ElementsAre(0, 1, 2, 3));
}

TEST(Shared, LoansOfBeforeAreNoLongerGood) {
  auto t = counting(2, 2);
  auto loan = tw::mut(t);
  const auto shared = std::move(t).share();
  const auto error = thrown_by<LaunchError>([&] { tw::copy(std::move(loan), counting(2, 2)); });
  EXPECT_THAT(error.what(), HasSubstr("the memory to write is read-only: it was shared"));
}

TEST(Shared, APartOfATensorLeavesTheOthersWritable) {
  auto [left, right] = counting(2, 4).split(1, 2);
  const auto shared = std::move(left).share();
  tw::copy(tw::mut(right), counting(2, 2));
  EXPECT_THAT(tw::to_host(right), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(tw::to_host(shared), ElementsAre(0, 1, 4, 5));
}

TEST(Shared, LoansOfTheWholeRespectAPart) {
  auto t = counting(2, 4);
  auto all = tw::mut(t);
  auto rest = tw::mut(t).slice(1, 2, 2);
  auto [left, right] = std::move(t).split(1, 2);
  const auto line = tw::Location::current().line() + 1;
  const auto shared = std::move(left).share();
  const auto error = thrown_by<LaunchError>([&] { tw::copy(std::move(all), counting(2, 4)); });
  EXPECT_THAT(error.what(), HasSubstr("the memory to write is read-only: it was shared"));
  EXPECT_EQ(error.diagnostics()[0].notes.at(0).where.line(), line);
  tw::copy(std::move(rest), counting(2, 2));
  EXPECT_THAT(tw::to_host(right), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(tw::to_host(shared), ElementsAre(0, 1, 4, 5));
}

TEST(Copy, FollowsTheStridesOfBothSides) {
  auto to = tw::zeroed<std::int32_t>(tw::Device::cpu(), 3, 4);
  tw::copy(tw::mut(to).slice(1, 1, 2).transposed(), counting(2, 3));
  EXPECT_THAT(tw::to_host(to), ElementsAre(0, 0, 3, 0, 0, 1, 4, 0, 0, 2, 5, 0));
}

TEST(Copy, RefusesOtherExtentsAndCommonElements) {
  auto t = counting(4, 4);
  const auto extents = thrown_by<LaunchError>([&] { tw::copy(tw::mut(t), counting(2, 2)); });
  EXPECT_THAT(extents.what(), HasSubstr("a 2x2 tensor cannot be copied to a 4x4 tensor"));
  const auto overlap =
      thrown_by<LaunchError>([&] { tw::copy(tw::mut(t).slice(0, 0, 2), t.slice(0, 1, 2)); });
  EXPECT_THAT(overlap.what(), HasSubstr("elements in common"));
  // The halves of a matrix have interleaved bytes but no common element.
  tw::copy(tw::mut(t).slice(1, 0, 2), t.slice(1, 2, 2));
  EXPECT_THAT(tw::to_host(t.slice(0, 0, 1)), ElementsAre(2, 3, 2, 3));
}

}  // namespace
