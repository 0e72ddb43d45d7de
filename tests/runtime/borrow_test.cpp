// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/borrow.hpp>
#include <tilewright/runtime/mut.hpp>
#include <tilewright/runtime/transfer.hpp>
#include <tilewright/unsafe.hpp>

#include "tests/runtime/gate.hpp"
#include "tests/runtime/thrown.hpp"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tw::Device;
using tw::LaunchError;
using tw::Location;
using tw::Shape;
using tw::testing::Gate;
using tw::testing::thrown_by;

TEST(Borrow, WritesTheCallersValues) {
  std::vector<float> values(6, 1.f);
  auto t = tw::borrow(std::span(values), 2, 3);
  static_assert(std::is_same_v<decltype(t), tw::Tensor<float, 2>>);
  tw::copy(tw::mut(t), tw::filled(Device::cpu(), 2.f, 2, 3));
  EXPECT_THAT(tw::to_host(t), ElementsAre(2, 2, 2, 2, 2, 2));
  EXPECT_THAT(values, ElementsAre(2, 2, 2, 2, 2, 2));
}

TEST(Borrow, OfConstantValuesIsAView) {
  const std::vector<std::int32_t> values{1, 2, 3, 4};
  const auto v = tw::borrow(std::span(values), 4);
  static_assert(std::is_same_v<decltype(v), const tw::View<std::int32_t, 1>>);
  EXPECT_THAT(tw::to_host(v), ElementsAre(1, 2, 3, 4));
}

TEST(Borrow, RefusesAnotherNumberOfValues) {
  std::vector<float> values(6);
  const auto error = thrown_by<LaunchError>([&] { (void)tw::borrow(std::span(values), 2, 2); });
  EXPECT_THAT(error.what(), HasSubstr("6 values do not make a 2x2 tensor"));
}

TEST(Borrow, RefusesMemoryThatIsBorrowedForWriting) {
  std::vector<float> values(10);
  const std::span all(values);
  const auto line = Location::current().line() + 1;
  const auto first = tw::borrow(all.subspan(2, 4), 4);
  const auto error = thrown_by<LaunchError>([&] { (void)tw::borrow(all.subspan(5, 5), 5); });
  EXPECT_THAT(error.what(), HasSubstr("4 bytes of this memory are borrowed already"));
  EXPECT_EQ(error.diagnostics()[0].notes.at(0).where.line(), line);
  EXPECT_THROW((void)tw::borrow(all, 10), LaunchError);
  EXPECT_THROW((void)tw::borrow(all.subspan(3, 1), 1), LaunchError);
  EXPECT_THROW((void)tw::borrow(std::span<const float>(all), 10), LaunchError);
  const auto before = tw::borrow(all.first(2), 2);
  const auto after = tw::borrow(all.subspan(6), 4);
}

TEST(Borrow, ReadersShareMemoryButKeepWritersOut) {
  std::vector<float> values(4, 3.f);
  const std::span<const float> constant(values);
  const auto first = tw::borrow(constant, 4);
  {
    const auto second = tw::borrow(constant.subspan(1), 3);
    EXPECT_THROW((void)tw::borrow(std::span(values), 4), LaunchError);
  }
  EXPECT_THROW((void)tw::borrow(std::span(values).first(1), 1), LaunchError);
}

TEST(Borrow, LooksBeyondShorterRangesInBetween) {
  std::vector<float> values(100);
  const std::span<const float> constant(values);
  const auto whole = tw::borrow(constant, 100);
  const auto small = tw::borrow(constant.subspan(10, 1), 1);
  // The range just before begins at 10 and ends at 11; that from 0 to 100 is further away.
  EXPECT_THROW((void)tw::borrow(std::span(values).subspan(50, 1), 1), LaunchError);
}

TEST(Borrow, EndsWithTheTensorEvenIfItWasMovedOn) {
  std::vector<float> values(4);
  {
    auto t = tw::borrow(std::span(values), 4);
    const auto u = std::move(t).reshape({2, 2});
    EXPECT_THROW((void)tw::borrow(std::span(values), 4), LaunchError);
  }
  EXPECT_NO_THROW((void)tw::borrow(std::span(values), 4));
}

TEST(Borrow, WaitsForWorkInFlightBeforeTheValuesMayGo) {
  tw::Stream stream;
  Gate gate;
  gate.close(stream);
  auto values = std::make_unique<std::vector<int>>(4, 7);
  std::optional t(tw::borrow(std::span(*values), 4));
  const auto copied = tw::clone(*t, stream);
  std::thread opener([&] { gate.open(); });
  t.reset();
  values.reset();  // the copy has read them by now
  EXPECT_THAT(tw::to_host(copied), ElementsAre(7, 7, 7, 7));
  opener.join();
}

TEST(UnsafeBorrow, TakesExtentsAndStrides) {
  std::vector<std::int32_t> values{0, 1, 2, 3, 4, 5, 6, 7};
  {
    const auto t = tw::unsafe::borrow(values.data(), {2, 3}, {4, 1});
    EXPECT_EQ(t.strides(), (Shape{4, 1}));
    EXPECT_THAT(tw::to_host(t), ElementsAre(0, 1, 2, 4, 5, 6));
    EXPECT_EQ(tw::unsafe::address(t.slice(0, 1, 1)), &values[4]);
    // It spans seven values; the last one is free.
    EXPECT_NO_THROW((void)tw::unsafe::borrow(values.data() + 7, 1));
    EXPECT_THROW((void)tw::unsafe::borrow(values.data() + 6, 1), LaunchError);
  }
  const auto row_major = tw::unsafe::borrow(values.data(), 4, 2);
  EXPECT_EQ(row_major.shape(), (Shape{4, 2}));
}

TEST(UnsafeBorrow, RefusesStridesThatMakeNoTensor) {
  float value = 0;
  const auto negative =
      thrown_by<LaunchError>([&] { (void)tw::unsafe::borrow(&value, {1, 1}, {1, -1}); });
  EXPECT_THAT(negative.what(), HasSubstr("the strides 1x-1 are negative"));
  EXPECT_THROW((void)tw::unsafe::borrow(&value, {3, 3}, {INT64_MAX, 1}), LaunchError);
  float* nowhere = nullptr;
  const auto null = thrown_by<LaunchError>([&] { (void)tw::unsafe::borrow(nowhere, 1); });
  EXPECT_THAT(null.what(), HasSubstr("null pointer"));
}

TEST(UnsafeBorrow, DoesNotWait) {
  tw::Stream stream;
  Gate gate;
  gate.close(stream);
  std::vector<int> values(4, 7);
  std::optional t(tw::unsafe::borrow(values.data(), 4));
  const auto copied = tw::clone(*t, stream);
  t.reset();
  // The memory is in use until the copy has run.
  EXPECT_THROW((void)tw::unsafe::borrow(values.data(), 4), LaunchError);
  gate.open();
  EXPECT_THAT(tw::to_host(copied), ElementsAre(7, 7, 7, 7));
}

}  // namespace
