// SPDX-License-Identifier: Apache-2.0
// Uses of what was given away: each error names the line of the use and who took it where.
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/kernel.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/launch.hpp>
#include <tilewright/runtime/mut.hpp>
#include <tilewright/runtime/transfer.hpp>

#include "tests/runtime/thrown.hpp"

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using tw::LaunchError;
using tw::Location;
using tw::testing::thrown_by;

// clang finds these at compile time; behind a pointer they are left to the run time.
template <class T>
T& unseen(T& object) {
  T* const pointer = &object;
  return *pointer;
}

void fill(tw::Out<float, tw::dyn> z) { z.store(tw::full(1.f, tw::dim<0>(z))); }

/// An error with one message and one note, and the lines of this file where they stand.
struct TwoLines {
  explicit TwoLines(const LaunchError& error) {
    EXPECT_EQ(error.diagnostics().size(), 1u);
    const tw::Diagnostic& only = error.diagnostics().front();
    EXPECT_THAT(only.where.file_name(), EndsWith("ownership_test.cpp"));
    EXPECT_EQ(only.notes.size(), 1u);
    message = only.message;
    used = only.where.line();
    taker = only.notes.at(0).message;
    taken = only.notes.at(0).where.line();
    if (taken != 0) {
      EXPECT_THAT(only.notes[0].where.file_name(), EndsWith("ownership_test.cpp"));
    }
  }

  std::string message, taker;
  unsigned used = 0, taken = 0;
};

TEST(Ownership, ATensorThatWasPartitioned) {
  auto tensor = tw::empty<float>(8);
  const auto first = Location::current().line() + 1;
  const auto part = std::move(tensor).partition({4});
  const auto second = Location::current().line() + 1;
  const TwoLines read(thrown_by<LaunchError>([&] { (void)tw::to_host(unseen(tensor)); }));
  const TwoLines lent(thrown_by<LaunchError>([&] { (void)tw::mut(unseen(tensor)); }));
  const TwoLines cut(thrown_by<LaunchError>([&] { (void)std::move(unseen(tensor)).share(); }));
  EXPECT_EQ(read.used, second);
  EXPECT_EQ(lent.used, second + 1);
  EXPECT_EQ(cut.used, second + 2);
  for (const TwoLines& each : {read, lent, cut}) {
    EXPECT_EQ(each.message, "the tensor was moved away");
    EXPECT_EQ(each.taker, "taken by partition()");
    EXPECT_EQ(each.taken, first);
  }
}

TEST(Ownership, APartitionThatWasJoined) {
  auto part = tw::empty<float>(8).partition({4});
  const auto first = Location::current().line() + 1;
  const auto tensor = std::move(part).join();
  const auto second = Location::current().line() + 1;
  const TwoLines again(thrown_by<LaunchError>([&] { (void)std::move(unseen(part)).join(); }));
  const TwoLines launched(
      thrown_by<LaunchError>([&] { (void)tw::launch<fill>(std::move(unseen(part))).sync(); }));
  EXPECT_EQ(again.used, second);
  EXPECT_EQ(again.message, "the tensor was moved away");
  EXPECT_EQ(launched.used, second + 2);
  EXPECT_THAT(launched.message,
              EndsWith("fill: argument 1 (Out<float> of rank 1): the tensor was moved away"));
  for (const TwoLines& each : {again, launched}) {
    EXPECT_EQ(each.taker, "taken by join()");
    EXPECT_EQ(each.taken, first);
  }
}

TEST(Ownership, APartitionThatALaunchTook) {
  auto part = tw::empty<float>(8).partition({4});
  const auto back = tw::launch<fill>(std::move(part)).sync();
  const auto second = Location::current().line() + 1;
  const TwoLines lines(thrown_by<LaunchError>([&] { (void)std::move(unseen(part)).join(); }));
  EXPECT_EQ(lines.used, second);
  EXPECT_EQ(lines.message, "the tensor was moved away");
  // A launch has no line before it runs: its kernel is named instead.
  EXPECT_THAT(lines.taker, StartsWith("taken by "));
  EXPECT_THAT(lines.taker, HasSubstr("fill"));
  EXPECT_EQ(lines.taken, 0u);
}

TEST(Ownership, ALoanThatWasUsed) {
  auto tensor = tw::empty<float>(8);
  auto loan = tw::mut(tensor);
  const auto first = Location::current().line() + 1;
  const auto lent = std::move(loan).partition({4});
  const auto second = Location::current().line() + 1;
  const TwoLines cut(thrown_by<LaunchError>([&] { (void)std::move(unseen(loan)).partition({4}); }));
  const TwoLines copied(thrown_by<LaunchError>([&] { tw::copy(std::move(unseen(loan)), tensor); }));
  EXPECT_EQ(cut.used, second);
  EXPECT_EQ(copied.used, second + 1);
  for (const TwoLines& each : {cut, copied}) {
    EXPECT_EQ(each.message, "the tensor was moved away");
    EXPECT_EQ(each.taker, "taken by partition()");
    EXPECT_EQ(each.taken, first);
  }
  EXPECT_EQ(tensor.size(), 8) << "the owner keeps the tensor";
}

TEST(Ownership, ATensorThatWasMovedNamesTheUseAlone) {
  auto tensor = tw::empty<float>(8);
  const auto other = std::move(tensor);
  const auto line = Location::current().line() + 1;
  const auto error = thrown_by<LaunchError>([&] { (void)unseen(tensor).size(); });
  ASSERT_EQ(error.diagnostics().size(), 1u);
  const tw::Diagnostic& only = error.diagnostics().front();
  EXPECT_EQ(only.message, "the tensor was moved away");
  EXPECT_THAT(only.where.file_name(), EndsWith("ownership_test.cpp"));
  EXPECT_EQ(only.where.line(), line);
  EXPECT_TRUE(only.notes.empty());
}

TEST(Ownership, ATensorThatWasSharedOrSplit) {
  auto shared = tw::empty<float>(8);
  auto split = tw::empty<float>(8);
  const auto first = Location::current().line() + 1;
  const auto constant = std::move(shared).share();
  const auto halves = std::move(split).split(0, 4);
  const auto second = Location::current().line() + 1;
  const TwoLines of_shared(thrown_by<LaunchError>([&] { (void)unseen(shared).shape(); }));
  const TwoLines of_split(thrown_by<LaunchError>([&] { (void)unseen(split).shape(); }));
  EXPECT_EQ(of_shared.used, second);
  EXPECT_EQ(of_shared.taker, "taken by share()");
  EXPECT_EQ(of_shared.taken, first);
  EXPECT_EQ(of_split.used, second + 1);
  EXPECT_EQ(of_split.taker, "taken by split()");
  EXPECT_EQ(of_split.taken, first + 1);
}

TEST(Ownership, WhoTookATensorIsKnownWhereverItsShellIsMoved) {
  auto tensor = tw::empty<float>(8);
  const auto first = Location::current().line() + 1;
  const auto shared = std::move(tensor).share();
  auto shell = std::move(unseen(tensor));
  const TwoLines lines(thrown_by<LaunchError>([&] { (void)shell.size(); }));
  EXPECT_EQ(lines.taker, "taken by share()");
  EXPECT_EQ(lines.taken, first);
}

TEST(Ownership, AVariableThatWasSetAgainForgetsWhoTookItsFormerTensor) {
  auto tensor = tw::empty<float>(8);
  tensor = std::move(tensor).partition({4}).join();
  const auto other = std::move(tensor);
  const auto moved = thrown_by<LaunchError>([&] { (void)unseen(tensor).size(); });
  EXPECT_TRUE(moved.diagnostics().front().notes.empty());

  std::vector<tw::Tensor<float, 1>> tensors;
  tensors.push_back(tw::empty<float>(8));
  auto list = tw::partition(std::move(tensors), {4});
  list = tw::partition(std::move(list).join(), {2});
  const auto rest = std::move(list);
  const auto of_list = thrown_by<LaunchError>([&] { (void)std::move(unseen(list)).join(); });
  EXPECT_TRUE(of_list.diagnostics().front().notes.empty());
}

}  // namespace
