// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/core/error.hpp>

#include "tests/runtime/launch_kernels.hpp"

namespace tw::tests {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

const Device device = Device::cpu();

class LaunchTest : public testing::Test {
 protected:
  Stream stream_{device};
};

TEST_F(LaunchTest, GivesBackThePartitionItWasGiven) {
  const auto x = counting<int>(1000);
  Partition<int, 1> z =
      launch<add<int>>(empty<int>(device, 1000).partition({128}), x, x).on(stream_);
  std::vector<int> expected(1000);
  for (int i = 0; i < 1000; ++i) expected[static_cast<std::size_t>(i)] = 2 * i;
  EXPECT_EQ(to_host(std::move(z).join()), expected);
}

TEST_F(LaunchTest, AGivenBackPartitionCanBeLaunchedAgain) {
  auto x = counting<int>(5).partition({2});
  for (int i = 0; i < 3; ++i) x = launch<increment>(std::move(x), 10).on(stream_);
  EXPECT_THAT(to_host(std::move(x).join()), ElementsAre(30, 31, 32, 33, 34));
}

TEST_F(LaunchTest, LentTensorsStayWithTheirOwner) {
  auto x = counting<int>(4);
  static_assert(std::is_void_v<decltype(launch<increment>(mut(x).partition({2}), 1).on(stream_))>);
  launch<increment>(mut(x).partition({2}), 1).on(stream_);
  launch<increment>(mut(x).partition({4}), 10).on(stream_);
  EXPECT_THAT(to_host(x), ElementsAre(11, 12, 13, 14));
}

TEST_F(LaunchTest, SyncRunsOnTheCurrentStream) {
  const CurrentStream current(stream_);
  auto x = launch<increment>(counting<int>(3).partition({1}), 1).sync();
  EXPECT_TRUE(stream_.idle());
  EXPECT_THAT(to_host(std::move(x).join()), ElementsAre(1, 2, 3));
}

TEST_F(LaunchTest, StreamsFollowEachOther) {
  Stream other(device);
  auto x = counting<int>(100'000);
  // A function of its own: clang forgets the state of what is lent, and minds that in a loop.
  const auto step = [&](const Stream& stream) {
    launch<increment>(mut(x).partition({1024}), 1).on(stream);
  };
  for (int i = 0; i < 20; ++i) step(i % 2 == 0 ? stream_ : other);
  EXPECT_EQ(to_host(x).back(), 99'999 + 20);
}

TEST_F(LaunchTest, InputsMayBeViewsAndSharedTensors) {
  const auto x = from_host<int>(device, {1, 2, 3, 4, 5, 6}, 2, 3);
  auto transposed = launch<add_matrices<int>>(empty<int>(device, 3, 2).partition({2, 2}),
                                              x.transposed(), x.transposed())
                        .on(stream_);
  EXPECT_THAT(to_host(std::move(transposed).join()), ElementsAre(2, 8, 4, 10, 6, 12));

  const Shared<int, 1> shared = counting<int>(4).share();
  auto sum = launch<add<int>>(empty<int>(device, 2).partition({2}), shared.slice(0, 1, 2),
                              shared.slice(0, 2, 2))
                 .on(stream_);
  EXPECT_THAT(to_host(std::move(sum).join()), ElementsAre(3, 5));
}

TEST_F(LaunchTest, GroupsOfRowsMayBeLargerThanTheGrid) {
  const auto x = std::move(counting<int>(4096)).reshape({64, 64});
  const auto z = launch<add_matrices<int>>(empty<int>(device, 64, 64).partition({1, 1}), x, x)
                     .hint({.swizzle = std::numeric_limits<int>::max()})
                     .on(stream_)
                     .join();
  std::vector<int> expected;
  for (int i = 0; i < 4096; ++i) expected.push_back(2 * i);
  EXPECT_EQ(to_host(z), expected);
}

TEST_F(LaunchTest, OutputsMayBeStrided) {
  const auto x = counting<int>(6);
  auto z = empty<int>(device, 2, 3);
  const auto matrix = std::move(counting<int>(6)).reshape({3, 2});
  launch<add_matrices<int>>(mut(z).transposed().partition({2, 1}), matrix, matrix).on(stream_);
  EXPECT_THAT(to_host(z), ElementsAre(0, 4, 8, 2, 6, 10));
}

TEST_F(LaunchTest, ARvalueInputIsTakenOver) {
  auto x = counting<int>(4);
  auto z = launch<add<int>>(empty<int>(device, 4).partition({4}), std::move(x), counting<int>(4))
               .on(stream_);
  EXPECT_THAT(to_host(std::move(z).join()), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT([&] { std::ignore = x.shape(); },  // NOLINT(bugprone-use-after-move)
              ThrowsMessage<LaunchError>(HasSubstr("taken by tw::tests::add")));
}

void split_signs(Out<int, dyn> positive, Out<int, dyn> negative, In1<int> x) {
  auto values = x.load_like(positive);
  positive.store(max(values, 0));
  negative.store(min(values, 0));
}

TEST_F(LaunchTest, SeveralOutputsComeBackInTheirOrder) {
  const auto x = from_host<int>(device, {1, -2, 3});
  const auto run = [&] {
    return launch<split_signs>(empty<int>(device, 3).partition({2}),
                               empty<int>(device, 3).partition({2}), x)
        .on(stream_);
  };
  auto [positive, negative] = run();
  EXPECT_THAT(to_host(std::move(positive).join()), ElementsAre(1, 0, 3));
  EXPECT_THAT(to_host(std::move(negative).join()), ElementsAre(0, -2, 0));

  auto [first, second] = run().join();
  static_assert(std::is_same_v<decltype(first), Tensor<int, 1>>);
  EXPECT_THAT(to_host(first), ElementsAre(1, 0, 3));
  EXPECT_THAT(to_host(second), ElementsAre(0, -2, 0));
}

TEST_F(LaunchTest, OnlyWhatWasGivenComesBack) {
  const auto x = from_host<int>(device, {1, -2, 3});
  auto lent = empty<int>(device, 3);
  Partition<int, 1> given =
      launch<split_signs>(mut(lent).partition({3}), empty<int>(device, 3).partition({3}), x)
          .on(stream_);
  EXPECT_THAT(to_host(std::move(given).join()), ElementsAre(0, -2, 0));
  EXPECT_THAT(to_host(lent), ElementsAre(1, 0, 3));
}

TEST_F(LaunchTest, AStoredLaunchOutlivesItsTensors) {
  const auto prepare = [] {
    const auto x = counting<int>(3);
    return launch<add<int>>(empty<int>(device, 3).partition({2}), x, x);
  };
  Launch<Partition<int, 1>> stored = prepare();
  EXPECT_THAT(to_host(std::move(stored).on(stream_).join()), ElementsAre(0, 2, 4));
}

TEST_F(LaunchTest, ADroppedLaunchDropsWhatItHolds) {
  auto x = counting<int>(3);
  {
    auto dropped = launch<increment>(mut(x).partition({2}), 1);
    static_cast<void>(dropped);
  }
  EXPECT_THAT(to_host(x), ElementsAre(0, 1, 2));
}

TEST_F(LaunchTest, AnEmptyOutputLaunchesNothing) {
  const auto x = counting<int>(0);
  auto z = launch<add<int>>(empty<int>(device, 0).partition({4}), x, x).sync();
  EXPECT_THAT(to_host(std::move(z).join()), SizeIs(0));
}

void scaled(Out<int, dyn> z, std::optional<Out<int, dyn>> copy, In1<int> x,
            std::optional<In1<int>> weight) {
  auto value = x.load_like(z);
  if (copy) copy->store(value);
  if (weight) {
    z.store(value * weight->load_like(z));
  } else {
    z.store(value);
  }
}

TEST_F(LaunchTest, OptionalParametersMayBeAbsent) {
  const auto x = counting<int>(3);
  auto z = launch<scaled>(empty<int>(device, 3).partition({2}), std::nullopt, x, std::nullopt)
               .on(stream_);
  EXPECT_THAT(to_host(std::move(z).join()), ElementsAre(0, 1, 2));
}

TEST_F(LaunchTest, OptionalParametersMayBePresent) {
  const auto x = counting<int>(3);
  auto [z, copy] = launch<scaled>(empty<int>(device, 3).partition({2}),
                                  empty<int>(device, 3).partition({2}), x, x)
                       .on(stream_)
                       .join();
  EXPECT_THAT(to_host(z), ElementsAre(0, 1, 4));
  EXPECT_THAT(to_host(copy), ElementsAre(0, 1, 2));
}

TEST_F(LaunchTest, PresenceMayBeDecidedAtRunTime) {
  const auto x = counting<int>(3);
  for (const bool present : {false, true}) {
    std::optional<View<int, 1>> weight;
    std::optional<Partition<int, 1>> copy;
    if (present) {
      weight = x;
      copy = empty<int>(device, 3).partition({2});
    }
    auto [z, copied] =
        launch<scaled>(empty<int>(device, 3).partition({2}), std::move(copy), x, weight)
            .on(stream_)
            .join();
    static_assert(std::is_same_v<decltype(copied), std::optional<Tensor<int, 1>>>);
    EXPECT_EQ(copied.has_value(), present);
    EXPECT_THAT(to_host(z), ElementsAre(0, 1, present ? 4 : 2));
  }
}

void count_values(Grid<1> blocks, Atomic<int, dyn> bins, In1<int> x, int chunk) {
  auto [block] = blocks.block();
  bins.add(x.tiles(chunk).padded(-1)(block), 1);
}

TEST_F(LaunchTest, AtomicTensorsAreLentOrGiven) {
  const auto x = from_host<int>(device, {2, 0, 2, 1, 2});
  auto bins = zeroed<int>(device, 4);
  launch<count_values>(grid(3), mut(bins), x, 2).on(stream_);
  EXPECT_THAT(to_host(bins), ElementsAre(1, 1, 3, 0));
  Tensor<int, 1> given = launch<count_values>(grid(3), std::move(bins), x, 2).on(stream_);
  EXPECT_THAT(to_host(given), ElementsAre(2, 2, 6, 0));
}

void sum_of_group(Out<int, dyn> z, List<In1<int>> xs) {
  Var total = tw::zeros<int>(dim<0>(z));
  for (Int i : range(xs.size())) total = total + xs[i].load_like(z);
  z.store(total);
}

TEST_F(LaunchTest, ListsOfInputs) {
  std::vector<Tensor<int, 1>> xs;
  for (int i = 0; i < 4; ++i) xs.push_back(counting<int>(3));
  auto z = launch<sum_of_group>(empty<int>(device, 3).partition({2}), xs).on(stream_);
  EXPECT_THAT(to_host(std::move(z).join()), ElementsAre(0, 4, 8));
  auto w = launch<sum_of_group>(empty<int>(device, 3).partition({2}), std::move(xs)).on(stream_);
  EXPECT_THAT(to_host(std::move(w).join()), ElementsAre(0, 4, 8));
}

void number_group(Out<int, dyn> z) { z.store(index<0>(z) + z.group() * 100); }

TEST_F(LaunchTest, ListsOfOutputs) {
  std::vector<Tensor<int, 1>> zs;
  for (const int extent : {3, 0, 2}) zs.push_back(empty<int>(device, extent));
  launch<number_group>(mut(zs).partition({2})).on(stream_);
  EXPECT_THAT(to_host(zs[0]), ElementsAre(0, 1, 2));
  EXPECT_THAT(to_host(zs[2]), ElementsAre(200, 201));
  std::vector<Tensor<int, 1>> back =
      launch<number_group>(partition(std::move(zs), {1})).on(stream_).join();
  EXPECT_THAT(to_host(back[2]), ElementsAre(200, 201));
}

void double_dealt(InOuts<int, dyn> xs) {
  for (auto x : places(xs)) x.store(x.load() * 2);
}

TEST_F(LaunchTest, DealtOutputsTakeAnyNumberOfBlocks) {
  for (const int blocks : {1, 2, 3, 50}) {
    auto x =
        launch<double_dealt>(counting<int>(5).partition({1})).hint({.blocks = blocks}).on(stream_);
    EXPECT_THAT(to_host(std::move(x).join()), ElementsAre(0, 2, 4, 6, 8));
  }
  auto x = launch<double_dealt>(counting<int>(5).partition({1})).on(stream_);
  EXPECT_THAT(to_host(std::move(x).join()), ElementsAre(0, 2, 4, 6, 8));
}

void number_blocks(Out<int, dyn, dyn> z) {
  auto [m, n] = z.block();
  z.store(tw::zeros<int>(dim<0>(z), dim<1>(z)) + m * 100 + n);
}

TEST_F(LaunchTest, HintsDoNotChangeResults) {
  const auto run = [&](const Hints& hints) {
    return to_host(launch<number_blocks>(empty<int>(device, 10, 12).partition({2, 3}))
                       .hint(hints)
                       .on(stream_)
                       .join());
  };
  const std::vector<int> plain = run({});
  EXPECT_EQ(plain[0], 0);
  EXPECT_EQ(plain[119], 403);
  for (const int blocks : {1, 3, 7, 20, 100}) {
    for (const int swizzle : {0, 1, 2, 4}) {
      EXPECT_EQ(run({.blocks = blocks, .swizzle = swizzle}), plain) << blocks << " " << swizzle;
    }
  }
}

void number_volume(Out<int, 1, 1, dyn, 1, dyn> z) {
  auto [a, b, c, d, e] = z.block();
  z.store(tw::zeros<int>(1, 1, dim<2>(z), 1, dim<4>(z)) + (((a * 10 + b) * 10 + c) * 10 + d) * 10 +
          e);
}

TEST_F(LaunchTest, OutputsMayHaveMoreAxesThanADevice) {
  auto z = launch<number_volume>(empty<int>(device, 2, 3, 4, 2, 6).partition({1, 1, 2, 1, 2}))
               .on(stream_);
  const std::vector<int> values = to_host(std::move(z).join());
  const auto at = [&](int a, int b, int c, int d, int e) {
    return values[static_cast<std::size_t>((((a * 3 + b) * 4 + c) * 2 + d) * 6 + e)];
  };
  EXPECT_EQ(at(0, 0, 0, 0, 0), 0);
  EXPECT_EQ(at(1, 2, 3, 1, 5), 12112);
  EXPECT_EQ(at(1, 0, 2, 0, 4), 10102);
}

void whole_rows(Out<int, 1, dyn> z, int width) {
  auto tiles = z.tiles(1, width);
  for (Int j : range(tiles.count(1))) {
    tiles.store(tw::zeros<int>(1, width) + j, 0, j);
  }
}

TEST_F(LaunchTest, WholeAxesAreStreamed) {
  auto z = launch<whole_rows>(empty<int>(device, 2, 5).partition({1, whole}), 2).on(stream_);
  EXPECT_THAT(to_host(std::move(z).join()), ElementsAre(0, 0, 1, 1, 2, 0, 0, 1, 1, 2));
}

void element(Out<int, 1> z, In1<int> x, Int at) { z.store(reshape(x.at(at), 1)); }

TEST_F(LaunchTest, LongAxesAreAddressedIn64Bits) {
  const std::int64_t extent = std::int64_t{1} << 33;
  const auto one = from_host<int>(device, {7});
  auto z =
      launch<element>(empty<int>(device, 1).partition({1}), one.expanded({extent}), 2'000'000'000)
          .on(stream_);
  EXPECT_THAT(to_host(std::move(z).join()), ElementsAre(7));
}

void fill_constant(Out<float, dyn> z, float value) { z.store(tw::full(value, dim<0>(z))); }

TEST_F(LaunchTest, EachConstantIsASpecialisation) {
  for (const float value : {1.f, 2.f, 1.f}) {
    auto z = launch<fill_constant>(empty<float>(device, 3).partition({4}), value).on(stream_);
    EXPECT_THAT(to_host(std::move(z).join()), Each(value));
  }
  EXPECT_THAT(detail::kernel_table<fill_constant>.all(), SizeIs(2));
}

TEST_F(LaunchTest, LaunchesOfOneSpecialisationShareTheirCode) {
  const auto run = [&](std::int64_t extent) {
    const auto x = counting<short>(extent);
    return launch<add<short>>(empty<short>(device, extent).partition({4}), x, x).on(stream_);
  };
  for (const std::int64_t extent : {9, 11, 13, 15}) {
    EXPECT_EQ(to_host(run(extent).join()).back(), 2 * (extent - 1));
  }
  EXPECT_THAT(detail::kernel_table<add<short>>.all(), SizeIs(1));
  std::ignore = run(16);
  EXPECT_THAT(detail::kernel_table<add<short>>.all(), SizeIs(2));
}

int hidden_state = 1;
void reads_a_global(Out<int, dyn> z) { z.store(tw::full(hidden_state, dim<0>(z))); }

TEST_F(LaunchTest, VerifiedTracesFindKernelsThatDependOnMoreThanTheirParameters) {
  set_verify_traces(true);
  const auto run = [&] {
    return to_host(launch<reads_a_global>(empty<int>(device, 1).partition({1})).on(stream_).join());
  };
  EXPECT_THAT(run(), ElementsAre(1));
  EXPECT_THAT(run(), ElementsAre(1));
  hidden_state = 2;
  EXPECT_THAT(run, ThrowsMessage<KernelError>(HasSubstr("depends on something besides")));
  set_verify_traces(false);
}

}  // namespace
}  // namespace tw::tests
