// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/kernel.hpp>
#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/launch.hpp>
#include <tilewright/runtime/mut.hpp>

#include "tests/runtime/thrown.hpp"

namespace {

using testing::HasSubstr;
using tw::Diagnostic;
using tw::LaunchError;
using tw::Location;
using tw::testing::thrown_by;

// clang finds these at compile time; behind a pointer they are left to the run time.
template <class T>
T&& unseen(T& object) {
  T* const pointer = &object;
  return std::move(*pointer);
}

void fill(tw::Out<float, tw::dyn> z) { z.store(tw::full(1.f, tw::dim<0>(z))); }

/// The one diagnostic of an error with its one note.
struct TwoLines {
  explicit TwoLines(const LaunchError& error) : diagnostic(error.diagnostics().at(0)) {}
  [[nodiscard]] auto used() const { return diagnostic.where.line(); }
  [[nodiscard]] auto taken() const { return diagnostic.notes.at(0).where.line(); }
  [[nodiscard]] const std::string& taker() const { return diagnostic.notes.at(0).message; }

  Diagnostic diagnostic;
};

TEST(Ownership, JoiningTwiceNamesBothLines) {
  auto part = tw::empty<float>(8).partition({4});
  const auto first = Location::current().line() + 1;
  const auto tensor = std::move(part).join();
  const auto second = Location::current().line() + 1;
  const TwoLines lines(thrown_by<LaunchError>([&] { (void)unseen(part).join(); }));
  EXPECT_EQ(lines.used(), second);
  EXPECT_EQ(lines.taken(), first);
  EXPECT_EQ(lines.taker(), "taken by join()");
}

TEST(Ownership, PartitioningTwiceNamesBothLines) {
  auto tensor = tw::empty<float>(8);
  const auto first = Location::current().line() + 1;
  const auto part = std::move(tensor).partition({4});
  const auto second = Location::current().line() + 1;
  const TwoLines lines(thrown_by<LaunchError>([&] { (void)unseen(tensor).partition({8}); }));
  EXPECT_EQ(lines.used(), second);
  EXPECT_EQ(lines.taken(), first);
  EXPECT_EQ(lines.taker(), "taken by partition()");
}

TEST(Ownership, WhatALaunchTookNamesTheKernel) {
  auto part = tw::empty<float>(8).partition({4});
  const auto back = tw::launch<fill>(std::move(part)).sync();
  const auto error = thrown_by<LaunchError>([&] { (void)unseen(part).join(); });
  EXPECT_THAT(error.what(), HasSubstr("taken by"));
  EXPECT_THAT(error.what(), HasSubstr("fill"));
}

TEST(Ownership, ALoanLeavesTheOwnerAlone) {
  auto tensor = tw::empty<float>(8);
  tw::launch<fill>(tw::mut(tensor).partition({4})).sync();
  EXPECT_EQ(tensor.size(), 8);
  auto loan = tw::mut(tensor);
  const auto first = Location::current().line() + 1;
  const auto lent = std::move(loan).partition({4});
  const TwoLines lines(thrown_by<LaunchError>([&] { (void)unseen(loan).partition({4}); }));
  EXPECT_EQ(lines.taken(), first);
}

}  // namespace
