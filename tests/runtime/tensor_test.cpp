// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/any_tensor.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/mut.hpp>
#include <tilewright/runtime/tensor.hpp>
#include <tilewright/runtime/transfer.hpp>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tw::Device;
using tw::Shape;

std::vector<float> counting(int n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.f);
  return values;
}

/// The error that `call` throws, as a user sees it.
template <class E, class Call>
E thrown_by(Call&& call) {
  try {
    call();
  } catch (const E& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return E("nothing", tw::Location::current());
}

TEST(Tensor, KnowsItsShapeStridesSizeAndDevice) {
  const auto t = tw::empty<float>(2, 3, 4);
  EXPECT_EQ(t.shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(t.strides(), (Shape{12, 4, 1}));
  EXPECT_EQ(t.size(), 24);
  EXPECT_EQ(t.extent(1), 3);
  EXPECT_EQ(t.device(), Device::cpu());
}

TEST(Tensor, TakesValuesFromTheHostAndGivesThemBack) {
  const auto t = tw::from_host<float>(counting(6), 2, 3);
  EXPECT_THAT(tw::to_host(t), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(tw::to_host(tw::from_host(std::vector<std::int32_t>{7, 8}, 2)), ElementsAre(7, 8));
  EXPECT_EQ(tw::from_host(counting(5)).shape(), (Shape{5}));
  EXPECT_THAT(tw::to_host(tw::from_host<double>({1, 2}, 2)), ElementsAre(1, 2));
}

}  // namespace
