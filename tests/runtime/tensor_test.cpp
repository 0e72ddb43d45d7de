// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
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

#include "tests/runtime/thrown.hpp"

namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using tw::Device;
using tw::LaunchError;
using tw::Location;
using tw::Shape;
using tw::testing::thrown_by;

constexpr Device cpu = Device::cpu();

TEST(Tensor, KnowsItsShapeStridesSizeAndDevice) {
  const auto t = tw::empty<float>(2, 3, 4);
  EXPECT_EQ(t.shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(t.strides(), (Shape{12, 4, 1}));
  EXPECT_EQ(t.size(), 24);
  EXPECT_EQ(t.extent(1), 3);
  EXPECT_EQ(t.device(), cpu);
}

TEST(Tensor, HasUpToSixAxesOrNone) {
  EXPECT_EQ(tw::empty<float>(1, 2, 3, 4, 5, 6).size(), 720);
  const auto scalar = tw::empty<double>();
  EXPECT_EQ(scalar.shape(), Shape{});
  EXPECT_EQ(scalar.size(), 1);
}

TEST(Tensor, MayBeEmptyAlongAnAxis) {
  const auto t = tw::empty<float>(3, 0);
  EXPECT_EQ(t.size(), 0);
  EXPECT_THAT(tw::to_host(t), ElementsAre());
}

TEST(Tensor, LiesAtMultiplesOf64Bytes) {
  for (const int extent : {1, 7, 64, 1000, 100000}) {
    const auto t = tw::empty<std::uint8_t>(extent);
    const void* data =
        tw::detail::memory_of(*tw::runtime::TensorAccess::state(t, Location::current()).storage);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0u);
  }
}

TEST(Tensor, RefusesExtentsThatMakeNoTensor) {
  const auto negative = thrown_by<LaunchError>([] { (void)tw::empty<float>(2, -3); });
  EXPECT_THAT(negative.what(), HasSubstr("the extents 2x-3 are negative"));
  const std::int64_t big = std::int64_t{1} << 31;
  const auto product = thrown_by<LaunchError>([&] { (void)tw::empty<float>(big, big, 2); });
  EXPECT_THAT(product.what(), HasSubstr("does not fit in 64 bits"));
  // 2^60 doubles are 2^63 bytes.
  const auto bytes = thrown_by<LaunchError>([&] { (void)tw::empty<double>(big, big >> 2); });
  EXPECT_THAT(bytes.what(), HasSubstr("does not fit in 64 bits"));
  const auto unsigned_extent = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THROW((void)tw::empty<float>(unsigned_extent), LaunchError);
  EXPECT_THROW((void)tw::empty<float>(big, 0, big, big), LaunchError);
}

TEST(Tensor, ErrorsOfCreationNameTheUsersLine) {
  const auto line = Location::current().line() + 1;
  const auto error = thrown_by<LaunchError>([] { (void)tw::empty<float>(-1, 2); });
  EXPECT_EQ(error.where().line(), line);
  EXPECT_THAT(error.where().file_name(), HasSubstr("tensor_test.cpp"));
}

TEST(Tensor, SaysWhenMemoryIsShort) {
  const auto error =
      thrown_by<tw::DeviceError>([] { (void)tw::empty<std::uint8_t>(std::int64_t{1} << 59); });
  EXPECT_THAT(error.what(), HasSubstr("cpu has no 576460752303423488 bytes of memory left"));
}

TEST(Tensor, TakesValuesFromTheHostAndGivesThemBack) {
  EXPECT_THAT(tw::to_host(tw::from_host<float>(std::vector<float>{0, 1, 2, 3, 4, 5}, 2, 3)),
              ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(tw::to_host(tw::from_host(std::vector<std::int32_t>{7, 8}, 2)), ElementsAre(7, 8));
  EXPECT_EQ(tw::from_host(std::vector<double>(5)).shape(), (Shape{5}));
  EXPECT_THAT(tw::to_host(tw::from_host<double>({1, 2}, 2)), ElementsAre(1, 2));
  const std::array<std::int64_t, 3> values{1, 2, 3};
  EXPECT_THAT(tw::to_host(tw::from_host(cpu, std::span(values), 3)), ElementsAre(1, 2, 3));
}

TEST(Tensor, RefusesAnotherNumberOfHostValues) {
  const std::vector<float> five(5);
  const auto error = thrown_by<LaunchError>([&] { (void)tw::from_host<float>(five, 2, 3); });
  EXPECT_THAT(error.what(), HasSubstr("a 2x3 tensor of float takes 6 values, not 5"));
}

TEST(Tensor, KeepsBoolsAsBytesOfZeroAndOne) {
  const auto t = tw::from_host<bool>({0, 1, 7}, 3);
  EXPECT_THAT(tw::to_host(t), ElementsAre(0, 1, 1));
  const std::array<bool, 2> flags{true, false};
  EXPECT_THAT(tw::to_host(tw::from_host<bool>(flags, 2)), ElementsAre(1, 0));
}

TEST(Tensor, PacksFourBitFloats) {
  const auto t = tw::from_host<tw::f4e2m1>({0x21, 0x43}, 2, 2);
  EXPECT_THAT(tw::to_host(t), ElementsAre(0x21, 0x43));
  EXPECT_THAT(tw::to_host(tw::filled<tw::f4e2m1>(cpu, tw::f4e2m1::from_bits(5), 4)),
              ElementsAre(0x55, 0x55));
}

TEST(Tensor, IsFilledWithAnyValue) {
  EXPECT_THAT(tw::to_host(tw::zeroed<float>(cpu, 2, 3)), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(tw::to_host(tw::filled(cpu, 1.5, 3)), ElementsAre(1.5, 1.5, 1.5));
  const auto halves = tw::to_host(tw::filled<tw::half>(cpu, 0.5f, 1000));
  EXPECT_THAT(halves, Each(tw::half(0.5f)));
  EXPECT_THAT(tw::to_host(tw::filled<std::int16_t>(cpu, -2, 2)), ElementsAre(-2, -2));
  EXPECT_THAT(tw::to_host(tw::filled(cpu, true, 2)), ElementsAre(1, 1));
}

TEST(Tensor, IsPlacedWhereAStreamIs) {
  const tw::Stream stream;
  EXPECT_EQ(tw::empty<float>(stream, 4).device(), cpu);
  EXPECT_EQ(tw::zeroed<float>(stream, 4).device(), cpu);
}

TEST(Tensor, MovesButDoesNotCopy) {
  using T = tw::Tensor<float, 2>;
  static_assert(!std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T>);
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>);
  auto a = tw::filled(cpu, 1, 2);
  auto b = std::move(a);
  EXPECT_THAT(tw::to_host(b), ElementsAre(1, 1));
  a = tw::filled(cpu, 2, 3);
  EXPECT_THAT(tw::to_host(a), ElementsAre(2, 2, 2));
}

// clang finds these at compile time; behind a pointer they are left to the run time.
template <class T>
T* unseen(T& object) {
  return &object;
}

TEST(Tensor, UseAfterMoveNamesTheUseAndTheTaker) {
  auto t = tw::empty<float>(2, 3);
  const auto taken = Location::current().line() + 1;
  const auto u = std::move(t).transposed();
  const auto used = Location::current().line() + 1;
  const auto error = thrown_by<LaunchError>([&] { (void)unseen(t)->shape(); });
  ASSERT_EQ(error.diagnostics().size(), 1u);
  EXPECT_EQ(error.where().line(), used);
  EXPECT_THAT(error.what(), HasSubstr("the tensor was moved away"));
  ASSERT_EQ(error.diagnostics()[0].notes.size(), 1u);
  EXPECT_EQ(error.diagnostics()[0].notes[0].message, "taken by transposed()");
  EXPECT_EQ(error.diagnostics()[0].notes[0].where.line(), taken);
}

TEST(Tensor, EveryUseAfterMoveIsRefused) {
  auto t = tw::empty<float>(2, 3);
  const auto u = std::move(t);
  auto& gone = *unseen(t);
  EXPECT_THROW((void)gone.extent(0), LaunchError);
  EXPECT_THROW((void)gone.strides(), LaunchError);
  EXPECT_THROW((void)gone.size(), LaunchError);
  EXPECT_THROW((void)gone.device(), LaunchError);
  EXPECT_THROW((void)gone.transposed(), LaunchError);
  EXPECT_THROW((void)gone.reshape({6}), LaunchError);
  EXPECT_THROW((void)gone.split(0, 1), LaunchError);
  EXPECT_THROW((void)std::move(gone).share(), LaunchError);
  EXPECT_THROW((void)std::move(gone).reshape({6}), LaunchError);
  EXPECT_THROW((void)std::move(gone).slice(0, 0, 1), LaunchError);
  EXPECT_THROW((void)tw::mut(gone), LaunchError);
  EXPECT_THROW((void)tw::to_host(gone), LaunchError);
  EXPECT_THROW((void)tw::clone(gone), LaunchError);
  EXPECT_THROW((void)tw::AnyTensor(std::move(gone)), LaunchError);
}

TEST(Tensor, RefusedCallsLeaveItWhereItWas) {
  auto t = tw::empty<float>(2, 3);
  EXPECT_THROW((void)std::move(t).reshape({7}), LaunchError);
  EXPECT_THROW((void)std::move(t).slice(2, 0, 1), LaunchError);
  EXPECT_THROW((void)std::move(t).permuted({0, 0}), LaunchError);
  EXPECT_EQ(unseen(t)->shape(), (Shape{2, 3}));
}

TEST(Mut, IsUsedUpOnce) {
  auto t = tw::empty<float>(4, 4);
  auto loan = tw::mut(t);
  const auto taken = Location::current().line() + 1;
  auto [left, right] = std::move(loan).split(1, 2);
  EXPECT_EQ(left.shape(), (Shape{4, 2}));
  EXPECT_EQ(right.shape(), (Shape{4, 2}));
  const auto error = thrown_by<LaunchError>([&] { (void)unseen(loan)->shape(); });
  EXPECT_EQ(error.diagnostics()[0].notes.at(0).where.line(), taken);
  EXPECT_EQ(t.shape(), (Shape{4, 4}));
}

TEST(AnyTensor, GivesItsTensorBackUnderTheRightTypeOnly) {
  tw::AnyTensor any = tw::filled(cpu, 3.f, 2, 2);
  EXPECT_EQ(any.dtype(), tw::DType::f32);
  EXPECT_EQ(any.rank(), 2);
  EXPECT_FALSE(any.read_only());
  const auto error = thrown_by<LaunchError>([&] { (void)std::move(any).as<tw::half, 2>(); });
  EXPECT_THAT(error.what(), HasSubstr("the tensor is of float and rank 2, not of half and rank 2"));
  EXPECT_THROW(((void)std::move(*unseen(any)).as<float, 1>()), LaunchError);
  const auto t = std::move(*unseen(any)).as<float, 2>();
  EXPECT_THAT(tw::to_host(t), Each(3.f));
  EXPECT_THROW((void)unseen(any)->dtype(), LaunchError);
}

TEST(AnyTensor, OfAViewIsForReading) {
  const auto t = tw::filled(cpu, 3.f, 2);
  tw::AnyTensor any = t.slice(0, 0, 1);
  EXPECT_TRUE(any.read_only());
  EXPECT_THAT(tw::to_host(any.view<float, 1>()), ElementsAre(3.f));
  const auto error = thrown_by<LaunchError>([&] { (void)std::move(any).as<float, 1>(); });
  EXPECT_THAT(error.what(), HasSubstr("may only be read"));
}

}  // namespace
