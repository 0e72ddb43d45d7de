// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/tilewright.hpp>

/// Where blocks work: schedules change nothing, dealt places are each visited once, groups of a
/// list follow one another.
namespace tw::tests {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Where each element's block stands, three times: by box, by single axis and by index.
void stand(Out<int, dyn, dyn, dyn> z) {
  auto [a, b, c] = z.block();
  auto place = a * 10000 + b * 100 + c;
  auto row = unsqueeze<1>(unsqueeze<1>(index<0>(z)));
  auto column = unsqueeze<0>(unsqueeze<1>(index<1>(z)));
  z.store(row * 1000000 + column * 100000000 + zeros<int>(dim<0>(z), dim<1>(z), dim<2>(z)) + place +
          (block<0>(z) - a) + (block<2>(z) - c));
}

std::vector<int> standing(const Hints& hints) {
  return to_host(launch<stand>(empty<int>(6, 5, 4).partition({2, 3, 1})).hint(hints).sync().join());
}

TEST(PlacesTest, SchedulesChangeNothing) {
  std::vector<int> want;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 5; ++j) {
      for (int k = 0; k < 4; ++k) {
        want.push_back(i * 1000000 + j * 100000000 + i / 2 * 10000 + j / 3 * 100 + k);
      }
    }
  }
  EXPECT_EQ(standing({}), want);
  for (const int swizzle : {1, 2, 3, 8}) {
    EXPECT_EQ(standing({.swizzle = swizzle}), want) << swizzle;
    for (const int blocks : {1, 5, 24, 100}) {
      EXPECT_EQ(standing({.blocks = blocks, .swizzle = swizzle}), want) << swizzle << " " << blocks;
    }
  }
  for (const int blocks : {1, 2, 7, 23, 24, 1000}) {
    EXPECT_EQ(standing({.blocks = blocks}), want) << blocks;
  }
}

/// Outputs of several ranks agree on their coordinates, also where axes have one block only.
void several_ranks(Out<int, dyn, dyn> x, Out<int, dyn> y, Out<int, 1, dyn, dyn, dyn> z) {
  auto [i, j] = x.block();
  auto [k] = y.block();
  x.store(zeros<int>(dim<0>(x), dim<1>(x)) + i * 10 + j);
  y.store(zeros<int>(dim<0>(y)) + k);
  z.store(zeros<int>(1, dim<1>(z), dim<2>(z), dim<3>(z)) + block<1>(z) * 10 + block<0>(z));
}

TEST(PlacesTest, OutputsOfSeveralRanksShareOneGrid) {
  for (const Hints& hints : {Hints{}, Hints{.blocks = 2}, Hints{.blocks = 3, .swizzle = 2}}) {
    auto [x, y, z] =
        launch<several_ranks>(empty<int>(4, 3).partition({1, all}), empty<int>(8).partition({2}),
                              empty<int>(1, 4, 2, 2).partition({1, 1, all, all}))
            .hint(hints)
            .sync()
            .join();
    EXPECT_THAT(to_host(x), ElementsAre(0, 0, 0, 10, 10, 10, 20, 20, 20, 30, 30, 30));
    EXPECT_THAT(to_host(y), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
    EXPECT_THAT(to_host(z),
                ElementsAre(0, 0, 0, 0, 10, 10, 10, 10, 20, 20, 20, 20, 30, 30, 30, 30));
  }
}

void zipped(Outs<int, dyn, dyn> ys, InOuts<int, dyn> rs, In2<int> x) {
  Var seen = Int(0);
  for (auto [y, r] : places(ys, rs)) {
    auto row = x.load_like(y);
    y.store(row * 2);
    r.store(r.load() + squeeze<1>(sum<1>(row)));
    seen = seen + 1;
  }
}

TEST(PlacesTest, DealtPartitionsAreZipped) {
  std::vector<int> numbers(14);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto x = from_host<int>(numbers, 7, 2);
  for (const int blocks : {1, 2, 3, 7, 20}) {
    auto sums = from_host<int>({100, 100, 100, 100, 100, 100, 100});
    const auto doubled =
        launch<zipped>(empty<int>(7, 2).partition({1, all}), mut(sums).partition({1}), x)
            .hint({.blocks = blocks})
            .sync()
            .join();
    std::vector<int> want;
    for (const int number : numbers) want.push_back(2 * number);
    EXPECT_EQ(to_host(doubled), want) << blocks;
    EXPECT_THAT(to_host(sums), ElementsAre(101, 105, 109, 113, 117, 121, 125)) << blocks;
  }
}

TEST(PlacesTest, ZippedPartitionsOfUnequalNumberAreRefused) {
  const auto x = from_host<int>(std::vector<int>(14), 7, 2);
  for (const int count : {7, 6, 8, 7}) {  // the code for seven is there when others come
    auto sums = zeroed<int>(count);
    const auto run = [&] {
      std::ignore =
          launch<zipped>(empty<int>(7, 2).partition({1, all}), mut(sums).partition({1}), x)
              .hint({.blocks = 3})
              .sync();
    };
    if (count == 7) {
      EXPECT_NO_THROW(run());
      continue;
    }
    const std::string places = std::to_string(count);
    EXPECT_THAT(run, ThrowsMessage<LaunchError>(HasSubstr(
                         "argument 1 (Outs<int32_t> of rank 2) has 7x1 places (7x2 elements), but "
                         "argument 2 (InOuts<int32_t> of rank 1), which the kernel walks together "
                         "with it, has " +
                         places + " places (" + places + " elements)")));
    EXPECT_THAT(to_host(sums), Each(0));
  }
}

void three_zipped(Outs<int, dyn> a, Outs<int, dyn> b, Outs<int, dyn> c) {
  for (auto [x, y, z] : places(a, b, c)) {
    auto at = block<0>(x);
    x.store(zeros<int>(dim<0>(a)) + at);
    y.store(zeros<int>(dim<0>(b)) + at * 10);
    z.store(zeros<int>(dim<0>(c)) + at * 100);
  }
}

TEST(PlacesTest, ThreePartitionsAreZipped) {
  auto [a, b, c] = launch<three_zipped>(empty<int>(3).partition({1}), empty<int>(5).partition({2}),
                                        empty<int>(9).partition({3}))
                       .hint({.blocks = 2})
                       .sync()
                       .join();
  EXPECT_THAT(to_host(a), ElementsAre(0, 1, 2));
  EXPECT_THAT(to_host(b), ElementsAre(0, 0, 10, 10, 20));
  EXPECT_THAT(to_host(c), ElementsAre(0, 0, 0, 100, 100, 100, 200, 200, 200));
}

void grouped(Out<int, dyn, dyn> z, List<In2<int>> xs) {
  auto [i, j] = z.block();
  z.store(xs[z.group()].load_like(z) + z.group() * 10000 + i * 1000 + j * 100);
}

TEST(PlacesTest, GroupsOfAListFollowOneAnother) {
  const std::vector<std::pair<int, int>> sizes{{3, 4}, {1, 1}, {4, 2}, {5, 5}};
  for (const int blocks : {1, 2, 3, 50}) {
    std::vector<Tensor<int, 2>> xs;
    std::vector<Tensor<int, 2>> zs;
    for (const auto& [rows, columns] : sizes) {
      std::vector<int> numbers(static_cast<std::size_t>(rows * columns));
      std::iota(numbers.begin(), numbers.end(), 0);
      xs.push_back(from_host<int>(numbers, rows, columns));
      zs.push_back(empty<int>(rows, columns));
    }
    launch<grouped>(mut(zs).partition({2, 2}), xs).hint({.blocks = blocks}).sync();
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      const auto [rows, columns] = sizes[g];
      std::vector<int> want;
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
          want.push_back(i * columns + j + static_cast<int>(g) * 10000 + i / 2 * 1000 +
                         j / 2 * 100);
        }
      }
      EXPECT_EQ(to_host(zs[g]), want) << g << " with " << blocks << " blocks";
    }
  }
}

void count_blocks(Grid<3> work, Atomic<int, dyn> cells) {
  auto [i, j, k] = work.block();
  cells.add((i * work.extent(1) + j) * work.extent(2) + k, 1);
}

TEST(PlacesTest, AGridCountsEveryBlockOnce) {
  for (const Hints& hints : {Hints{}, Hints{.blocks = 4}}) {
    auto cells = zeroed<int>(24);
    launch<count_blocks>(grid(2, 3, 4), mut(cells)).hint(hints).sync();
    EXPECT_THAT(to_host(cells), Each(1));
  }
}

void six_axes(Out<int, 1, 1, 1, 1, 1, dyn> z, In6<int> x) {
  auto [a, b, c, d, e, f] = z.block();
  z.store(x.load_like(z) + a - block<0>(z) + f);
}

TEST(PlacesTest, GridsHaveUpToSixAxes) {
  std::vector<int> numbers(3 * 2 * 2 * 3 * 2 * 4);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto x = from_host<int>(numbers, 3, 2, 2, 3, 2, 4);
  const auto got =
      to_host(launch<six_axes>(empty<int>(3, 2, 2, 3, 2, 4).partition({1, 1, 1, 1, 1, 2}), x)
                  .sync()
                  .join());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i], numbers[i] + static_cast<int>(i % 4 / 2));
  }
}

}  // namespace
}  // namespace tw::tests
