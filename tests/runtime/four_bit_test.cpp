// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <functional>
#include <utility>

#include <gmock/gmock.h>

#include <tilewright/tilewright.hpp>
#include <tilewright/unsafe.hpp>

#include "tests/runtime/thrown.hpp"

/// Two elements of four bits share a byte, which no two parts of a tensor may divide.
namespace {

using namespace tw;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tw::testing::thrown_by;

const Device cpu = Device::cpu();

/// Two rows of four elements each.
Tensor<f4e2m1, 2> rows() { return from_host<f4e2m1>(cpu, {0x21, 0x43, 0x65, 0x07}, 2, 4); }

void expect_refused(const char* why, const std::function<void()>& call) {
  EXPECT_THAT(thrown_by<LaunchError>(call).what(), HasSubstr(why)) << why;
}

TEST(FourBitTensor, HasALastAxisOfWholeBytes) {
  EXPECT_THAT(to_host(rows()), ElementsAre(0x21, 0x43, 0x65, 0x07));
  expect_refused("its extent is even, not 3", [] { (void)empty<f4e2m1>(cpu, 3); });
  expect_refused("its extent is even, not 1", [] { (void)zeroed<f4e2m1>(cpu, 4, 1); });
  expect_refused("its extent is even, not 3",
                 [] { (void)from_host<f4e2m1>(cpu, {0x21, 0x43}, 3); });
  expect_refused("a tensor has at least one axis", [] { (void)empty<f4e2m1>(); });
  EXPECT_EQ(empty<f4e2m1>(cpu, 3, 0).size(), 0);
}

TEST(FourBitTensor, KeepsItsLastAxis) {
  const auto t = rows();
  expect_refused("the last axis stays the last", [&] { (void)t.transposed(); });
  expect_refused("the last axis stays the last", [&] { (void)t.permuted({1, 0}); });
  expect_refused("its extent is even, not 1", [&] { (void)t.reshape({8, 1}); });
  EXPECT_THAT(to_host(t.reshape({2, 2, 2}).permuted({1, 0, 2})),
              ElementsAre(0x21, 0x65, 0x43, 0x07));
  EXPECT_THAT(to_host(t.reshape({2, 1, 4}).expanded({2, 2, 4})),
              ElementsAre(0x21, 0x43, 0x21, 0x43, 0x65, 0x07, 0x65, 0x07));

  auto kept = rows();
  expect_refused("the last axis stays the last", [&] { (void)std::move(kept).transposed(); });
  expect_refused("the last axis stays the last", [&] { (void)mut(kept).transposed(); });
  EXPECT_EQ(kept.size(), 8);  // what refuses does not take
}

TEST(FourBitTensor, IsDividedBetweenBytes) {
  const auto t = rows();
  expect_refused("begins at an even index, not at 1", [&] { (void)t.slice(1, 1, 2); });
  expect_refused("its extent is even, not 1", [&] { (void)t.slice(1, 2, 1); });
  expect_refused("its extent is even, not 1", [&] { (void)t.split(1, 1); });
  EXPECT_THAT(to_host(t.slice(1, 2, 2)), ElementsAre(0x43, 0x07));
  EXPECT_THAT(to_host(t.slice(0, 1, 1)), ElementsAre(0x65, 0x07));
  EXPECT_EQ(t.slice(1, 1, 0).size(), 0);
}

TEST(FourBitTensor, IsCopiedByteByByte) {
  auto t = zeroed<f4e2m1>(cpu, 2, 8);
  copy(mut(t).slice(1, 4, 4), rows());
  EXPECT_THAT(to_host(t), ElementsAre(0, 0, 0x21, 0x43, 0, 0, 0x65, 0x07));
  auto [left, right] = std::move(t).split(1, 6);
  copy(mut(left).slice(1, 0, 2), right);
  EXPECT_THAT(to_host(left), ElementsAre(0x43, 0, 0x21, 0x07, 0, 0x65));
  EXPECT_THAT(to_host(right), ElementsAre(0x43, 0x07));
}

TEST(FourBitTensor, IsBorrowedUnderTheSameRule) {
  alignas(16) f4e2m1 bytes[8] = {};
  f4e2m1* const memory = bytes;
  expect_refused("its extent is even, not 3", [&] { (void)unsafe::borrow(memory, 2, 3); });
  expect_refused("the strides of other axes are even, not 3",
                 [&] { (void)unsafe::borrow(memory, {2, 2}, {3, 1}); });
  expect_refused("with stride 1", [&] { (void)unsafe::borrow(memory, {2, 4}, {1, 2}); });
  EXPECT_EQ(unsafe::borrow(memory, {2, 4}, {8, 1}).size(), 8);
}

void fill(Out<f4e2m1, dyn, dyn> y) { y.store(as<f4e2m1>(full(1.f, dim<0>(y), dim<1>(y)))); }

TEST(FourBitTensor, IsCutBetweenBytes) {
  expect_refused("cut an even number",
                 [] { (void)launch<fill>(empty<f4e2m1>(cpu, 2, 4).partition({1, 1})).sync(); });
  expect_refused("cut an even number",
                 [] { (void)launch<fill>(empty<f4e2m1>(cpu, 2, 4).partition({1, 3})).sync(); });
  // One is 0b0010.
  EXPECT_THAT(to_host(launch<fill>(empty<f4e2m1>(cpu, 2, 4).partition({1, 2})).sync().join()),
              ElementsAre(0x22, 0x22, 0x22, 0x22));
  EXPECT_THAT(to_host(launch<fill>(empty<f4e2m1>(cpu, 1, 6).partition({1, all})).sync().join()),
              ElementsAre(0x22, 0x22, 0x22));
}

}  // namespace
