// SPDX-License-Identifier: Apache-2.0
// Launches that are refused: each must say which argument is wrong, and where the launch stands.
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/log.hpp>
#include <tilewright/runtime/borrow.hpp>
#include <tilewright/unsafe.hpp>

#include "tests/runtime/launch_kernels.hpp"
#include "tests/support/log_capture.hpp"

namespace tw::tests {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const Device device = Device::cpu();

/// Runs a launch that must be refused; gives what the error says, without the place.
template <class R>
std::vector<Diagnostic> refusal(Launch<R> launch, Location where = Location::current()) {
  try {
    Stream stream(device);
    if constexpr (std::is_void_v<R>) {
      std::move(launch).on(stream, where);
    } else {
      std::ignore = std::move(launch).on(stream, where);
    }
  } catch (const LaunchError& error) {
    EXPECT_EQ(error.where().line(), where.line());
    EXPECT_THAT(error.where().file_name(), HasSubstr("launch_error_test.cpp"));
    return error.diagnostics();
  }
  ADD_FAILURE() << "the launch was not refused";
  return {};
}

MATCHER_P(Says, text, "") {
  return arg.size() == 1 && testing::Value(arg.front().message, HasSubstr(text));
}

TEST(LaunchError, WhatWasSharedIsWrittenByNoLaunchOfBefore) {
  auto t = counting<int>(6);
  auto loan = mut(t);
  auto partition = mut(t).partition({3});
  auto stored = launch<increment>(mut(t).partition({3}), 1);
  auto rest = launch<increment>(mut(t).slice(0, 4, 2).partition({2}), 1);
  auto [first, last] = std::move(t).split(0, 4);
  const auto shared_at = Location::current().line() + 1;
  const auto shared = std::move(first).share();
  const auto expect_refused = [&](Launch<void> launch) {
    const auto problems = refusal(std::move(launch));
    EXPECT_THAT(problems,
                Says("argument 1 (InOut<int32_t> of rank 1) is written, but its memory is "
                     "read-only: it was shared"));
    EXPECT_EQ(problems.at(0).notes.at(0).where.line(), shared_at);
  };
  expect_refused(std::move(stored));
  expect_refused(launch<increment>(std::move(partition), 1));
  expect_refused(launch<increment>(std::move(loan).partition({3}), 1));
  std::move(rest).sync();
  launch<increment>(mut(last).partition({2}), 1).sync();
  EXPECT_THAT(to_host(last), ElementsAre(6, 7));
  EXPECT_THAT(to_host(shared), ElementsAre(0, 1, 2, 3));
}

std::function<void()> while_recording;

void fill_while_others_work(Out<int, dyn> y) {
  if (while_recording) while_recording();
  y.store(full(7, dim<0>(y)));
}

TEST(LaunchError, WhatIsSharedMeanwhileConcernsOnlyItsWriters) {
  auto [first, last] = counting<int>(4).split(0, 2);
  auto [third, fourth] = std::move(last).split(0, 1);
  auto loan = mut(third);
  const auto share_on_another_thread = [](Tensor<int, 1>& part) {
    while_recording = [&part] {
      std::thread([&part] { std::ignore = std::move(part).share(); }).join();
    };
  };
  share_on_another_thread(fourth);
  launch<fill_while_others_work>(mut(first).partition({2})).sync();
  EXPECT_THAT(to_host(first), ElementsAre(7, 7));

  share_on_another_thread(third);
  EXPECT_THAT(refusal(launch<fill_while_others_work>(std::move(loan).partition({1}))),
              Says("the memory to write is read-only: it was shared"));
  while_recording = nullptr;
}

TEST(LaunchError, LoansOfListsAreUsedUp) {
  std::vector<Tensor<int, 1>> tensors;
  tensors.push_back(counting<int>(2));
  EXPECT_THROW(std::ignore = partition(std::move(tensors), {0}), LaunchError);
  auto loan = mut(tensors);  // a refused partition has taken nothing
  std::ignore = std::move(loan).partition({1});
  EXPECT_THROW(std::ignore = std::move(loan).partition({1}), LaunchError);
}

TEST(LaunchError, UncheckedIdsAreFrozenForLoansOfBefore) {
  auto ids = counting<int>(4);
  auto loan = mut(ids);
  const Rows rows = unsafe::assume_distinct(std::move(ids), 4);
  EXPECT_THAT(refusal(launch<increment>(std::move(loan).partition({4}), 1)),
              Says("its memory is read-only: it was shared"));
}

Partition<int, 1> vector_of(std::int64_t extent, int cut) {
  return empty<int>(device, extent).partition({cut});
}

TEST(LaunchError, NamesTheKernelTheArgumentAndItsType) {
  const auto x = counting<int>(4);
  auto z = counting<int>(4);
  EXPECT_THAT(refusal(launch<add<int>>(mut(z).partition({4}), x, z)),
              Says("argument 1 (Out<int32_t> of rank 1) is written by the launch, "
                   "but shares memory with argument 3 (In<int32_t> of rank 1)"));
}

TEST(LaunchError, ReportsAllProblemsAtOnce) {
  auto x = counting<int>(4);
  auto gone = counting<int>(4);
  std::ignore = std::move(gone).share();
  EXPECT_THAT(refusal(launch<add<int>>(mut(x).partition({4}), x, gone)).size(), 2u);
}

TEST(LaunchError, AMovedTensorNamesWhoTookIt) {
  auto x = counting<int>(4);
  std::ignore = std::move(x).share();
  const unsigned line = std::source_location::current().line() - 1;
  const auto problems = refusal(launch<add<int>>(vector_of(4, 4), x, x));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_THAT(problems[0].message, HasSubstr("argument 2"));
  ASSERT_EQ(problems[0].notes.size(), 1u);
  EXPECT_THAT(problems[0].notes[0].message, HasSubstr("share()"));
  EXPECT_EQ(problems[0].notes[0].where.line(), line);
}

TEST(LaunchError, AMovedPartitionNamesTheKernelThatTookIt) {
  const auto x = counting<int>(4);
  auto z = vector_of(4, 4);
  Stream stream(device);
  auto w = launch<add<int>>(std::move(z), x, x).on(stream);
  const auto problems = refusal(launch<add<int>>(std::move(z), x, x));  // NOLINT
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0].notes[0].message, HasSubstr("taken by tw::tests::add"));
}

TEST(LaunchError, JoiningTwiceNamesBothLines) {
  auto z = vector_of(4, 4);
  auto& gone = z;  // by its own name clang would refuse what follows
  auto t = std::move(z).join();
  const unsigned line = std::source_location::current().line() - 1;
  try {
    std::ignore = std::move(gone).join();  // NOLINT
    FAIL();
  } catch (const LaunchError& error) {
    EXPECT_EQ(error.where().line(), line + 3);
    EXPECT_EQ(error.diagnostics().front().notes.front().where.line(), line);
  }
}

void two(Out<int, dyn> a, Out<int, dyn, dyn> b) {
  a.store(tw::zeros<int>(dim<0>(a)));
  b.store(tw::zeros<int>(dim<0>(b), dim<1>(b)));
}

TEST(LaunchError, OutputsThatDisagreeAreBothNamed) {
  EXPECT_THAT(refusal(launch<two>(vector_of(12, 4), empty<int>(device, 12, 6).partition({4, 3}))),
              Says("argument 1 (Out<int32_t> of rank 1) has 3 blocks, but argument 2 (Out<int32_t> "
                   "of rank 2) has 3x2"));
}

TEST(LaunchError, HalvesOfOneTensorMayBeWrittenAndRead) {
  auto z = counting<int>(8);
  Stream stream(device);
  launch<add<int>>(mut(z).slice(0, 4, 4).partition({4}), z.slice(0, 0, 4), z.slice(0, 0, 4))
      .on(stream);
  EXPECT_THAT(to_host(z), ElementsAre(0, 1, 2, 3, 0, 2, 4, 6));
  EXPECT_THAT(refusal(launch<add<int>>(mut(z).slice(0, 3, 4).partition({4}), z.slice(0, 0, 4),
                                       z.slice(0, 0, 4)))
                  .size(),
              2u);
}

TEST(LaunchError, LoansThatWereSplitMayBeWrittenTogether) {
  auto z = from_host<int>(device, {1, 2, 3, 4, 5, 6}, 2, 3);
  auto [left, right] = mut(z).split(1, 1);
  const auto x = counting<int>(2);
  Stream stream(device);
  auto column = from_host<int>(device, {10, 20}, 2, 1);
  launch<add_matrices<int>>(std::move(left).partition({1, 1}), column, column).on(stream);
  launch<add_matrices<int>>(std::move(right).partition({2, 2}),
                            from_host<int>(device, {1, 2, 3, 4}, 2, 2),
                            from_host<int>(device, {1, 2, 3, 4}, 2, 2))
      .on(stream);
  EXPECT_THAT(to_host(z), ElementsAre(20, 2, 4, 40, 6, 8));
}

void first_of_list(Out<int, dyn> out, List<In1<int>> in) { out.store(in[0].load_like(out)); }

TEST(LaunchError, ListsMustNotNameWhatIsWritten) {
  auto z = counting<int>(4);
  std::vector<View<int, 1>> xs = {z, counting<int>(4)};
  EXPECT_THAT(refusal(launch<first_of_list>(mut(z).partition({4}), xs)),
              Says("shares memory with argument 2 (list of In<int32_t> of rank 1)"));
}

void bump(Grid<1>, Atomic<int, dyn> bins) { bins.add(iota(1), 1); }

TEST(LaunchError, AtomicTensorsMustHaveBeenWritten) {
  auto bins = empty<int>(device, 4);
  EXPECT_THAT(refusal(launch<bump>(grid(1), mut(bins))),
              Says("argument 2 (Atomic<int32_t> of rank 1) is changed atomically, but nothing was "
                   "written there"));
}

TEST(LaunchError, BorrowedReadOnlyMemoryIsNotWritten) {
  // A span of constant values gives a View, which no output takes; overlapping spans are refused
  // when they are borrowed, so that only reading is possible.
  std::vector<int> values = {1, 2, 3, 4};
  auto z = borrow(std::span(values), 4);
  EXPECT_THAT(refusal(launch<add<int>>(mut(z).partition({4}), z, z)).size(), 2u);
}

TEST(LaunchError, NumbersMustFitTheirParameter) {
  auto x = counting<int>(4);
  EXPECT_THAT(refusal(launch<increment>(mut(x).partition({4}), std::int64_t{1} << 31)),
              Says("argument 2 (scalar int32_t) does not hold the number"));
  EXPECT_THAT(refusal(launch<increment>(mut(x).partition({4}), 0.5)), Says("argument 2"));
  Stream stream(device);
  launch<increment>(mut(x).partition({4}), 2.0).on(stream);
  EXPECT_THAT(to_host(x), ElementsAre(2, 3, 4, 5));
}

void constant(Out<int, dyn> z, std::uint8_t value) {
  z.store(tw::zeros<int>(dim<0>(z)) + static_cast<int>(value));
}

TEST(LaunchError, ConstantsMustFitTheirParameter) {
  EXPECT_THAT(refusal(launch<constant>(vector_of(4, 4), 256)), Says("argument 2 (constant)"));
  EXPECT_THAT(refusal(launch<constant>(vector_of(4, 4), -1)), Says("argument 2 (constant)"));
  EXPECT_THAT(to_host(launch<constant>(vector_of(2, 4), 255).sync().join()), ElementsAre(255, 255));
}

TEST(LaunchError, FixedBlocksMustBeThoseOfThePartition) {
  const auto x = counting<int>(32);
  EXPECT_THAT(
      refusal(launch<add<int, 16>>(vector_of(32, 8), x, x)),
      Says("argument 1 (Out<int32_t> of rank 1) fixes blocks of 16 elements along axis 0, the "
           "partition has blocks of 8"));
  EXPECT_THAT(refusal(launch<add<int, 16>>(empty<int>(device, 32).partition({whole}), x, x)),
              Says("which the partition leaves whole"));
  EXPECT_EQ(to_host(launch<add<int, 16>>(vector_of(32, 16), x, x).sync().join()).back(), 62);
}

TEST(LaunchError, GridsMustHaveASensibleExtent) {
  auto bins = zeroed<int>(device, 1);
  EXPECT_THAT(refusal(launch<bump>(grid(-1), mut(bins))), Says("has -1 blocks along axis 0"));
  EXPECT_THAT(refusal(launch<bump>(grid(std::int64_t{1} << 31), mut(bins))), Says("along axis 0"));
}

TEST(LaunchError, CutsAreAtLeastOne) {
  const unsigned line = std::source_location::current().line() + 2;
  try {
    std::ignore = empty<int>(device, 4).partition({0});
    FAIL();
  } catch (const LaunchError& error) {
    EXPECT_EQ(error.where().line(), line);
    EXPECT_THAT(error.what(), HasSubstr("cuts axis 0 into pieces of 0 elements"));
  }
}

void visit(Outs<std::int8_t, 1, 1> ys) {
  for (auto y : places(ys)) y.store(zeros<std::int8_t>(1, 1));
}

TEST(LaunchError, PlacesAreFewerThanAnIntCounts) {
  const auto ids = zeroed<int>(device, 1 << 15);
  auto y = zeroed<std::int8_t>(device, 2, 1 << 16);
  EXPECT_THAT(refusal(launch<visit>(mut(y).partition(ids, {1, 1}))),
              Says("dealt in 2^31 places or more"));
}

TEST(LaunchError, HintsMustBeInRange) {
  const auto x = counting<int>(4);
  const auto with = [&](const Hints& hints) {
    return refusal(launch<add<int>>(vector_of(4, 4), x, x).hint(hints));
  };
  EXPECT_THAT(with({.blocks = 0}), Says("the hint .blocks is 0, but must be at least 1"));
  EXPECT_THAT(with({.swizzle = -1}), Says(".swizzle"));
  EXPECT_THAT(with({.occupancy = 33}), Says(".occupancy"));
  EXPECT_THAT(with({.ctas = 3}), Says("a power of two from 1 to 16"));
  EXPECT_THAT(with({.worker_warps = 5}), Says("4 or 8"));
}

TEST(LaunchError, HintsForAnotherArchitectureDoNotCount) {
  const auto x = counting<int>(4);
  const auto problems = refusal(launch<add<int>>(vector_of(4, 4), x, x)
                                    .hint({.ctas = 2})
                                    .hint(sm_90, {.ctas = 3})
                                    .hint(cpu, {.blocks = 0}));
  EXPECT_THAT(problems, Says(".blocks"));
}

TEST(LaunchError, IdleHintsAreReportedOnceASpecialisation) {
  const LogCapture log;
  const auto x = counting<int>(4);
  for (int i = 0; i < 3; ++i) {
    std::ignore = launch<add<int>>(vector_of(4, 4), x, x).hint({.swizzle = 2, .ctas = 4}).sync();
  }
  EXPECT_THAT(log.lines(), ElementsAre(HasSubstr("the hint .swizzle has no effect"),
                                       HasSubstr("the hint .ctas has no effect")));
}

void load_rows(InOut<int, dyn, dyn> x) { x.store(x.load() + 1); }

TEST(LaunchError, RowsThatAreLoadedMustBeCertified) {
  auto x = zeroed<int>(device, 4, 2);
  const auto ids = from_host<int>(device, {1, 3});
  EXPECT_THAT(refusal(launch<load_rows>(mut(x).partition(ids, {1, all}))),
              Says("takes rows certified as distinct"));
  const Rows rows = distinct(ids, 4).sync();
  Stream stream(device);
  launch<load_rows>(mut(x).partition(rows, {1, all})).on(stream);
  EXPECT_THAT(to_host(x), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
}

void wrong_tile(Out<int, dyn> z, In1<int> x) { z.store(x.tiles(2)(0)); }

TEST(LaunchError, MistakesOfTheKernelAreThrownByTheLaunch) {
  const auto x = counting<int>(8);
  EXPECT_THROW(std::ignore = launch<wrong_tile>(vector_of(8, 4), x).sync(), KernelError);
}

TEST(LaunchError, ALaunchThatWasRunIsUsedUp) {
  auto x = counting<int>(4);
  Stream stream(device);
  Launch<void> launched = launch<increment>(mut(x).partition({4}), 1);
  std::move(launched).on(stream);
  // NOLINTBEGIN(bugprone-use-after-move)
  const auto refused = testing::ThrowsMessage<LaunchError>(
      AllOf(HasSubstr("the launch was run before"), HasSubstr("launch_error_test.cpp")));
  EXPECT_THAT([&] { std::move(launched).on(stream); }, refused);
  EXPECT_THAT([&] { std::move(launched).sync(); }, refused);
  EXPECT_THAT([&] { std::ignore = std::move(launched).record(); }, refused);
  EXPECT_THAT([&] { std::move(launched).hint({.blocks = 1}).deny_device_checks().on(stream); },
              refused);
  // NOLINTEND(bugprone-use-after-move)
  EXPECT_THAT(to_host(x), ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace tw::tests
