// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/tilewright.hpp>

/// Operations that move elements, on numbers that tell where they come from.
namespace tw::tests {
namespace {

using testing::ElementsAre;

template <class... N>
auto counting(N... extents) {
  std::vector<int> numbers((std::size_t{1} * ... * static_cast<std::size_t>(extents)));
  std::iota(numbers.begin(), numbers.end(), 0);
  return from_host<int>(numbers, extents...);
}

/// Runs a kernel with one output of one block and one input.
template <auto Kernel, class Input, class... N>
std::vector<int> run(const Input& input, N... extents) {
  return to_host(
      launch<Kernel>(empty<int>(extents...).partition({(static_cast<void>(extents), all)...}),
                     input)
          .sync()
          .join());
}

void reshaped(Out<int, dyn, dyn> z, In3<int> x) {
  z.store(reshape(x.tiles(2, 4, 2)(0, 0, 0), 8, 2));
}
void flattened(Out<int, dyn> z, In2<int> x) { z.store(reshape(x.tiles(4, 8)(0, 0), 32)); }

TEST(ShapesTest, ReshapeKeepsRowMajorOrder) {
  std::vector<int> want(16);
  std::iota(want.begin(), want.end(), 0);
  EXPECT_EQ((run<&reshaped>(counting(2, 4, 2), 8, 2)), want);
  want.resize(32);
  std::iota(want.begin(), want.end(), 0);
  EXPECT_EQ((run<&flattened>(counting(4, 8), 32)), want);
}

void odd_axis_kept(Out<int, dyn, dyn> z, In1<int> x) {
  z.store(reshape(x.tiles(dim<0>(z))(0), dim<0>(z), 1));
}

TEST(ShapesTest, ReshapeMovesOnesAroundOddAxes) {
  EXPECT_THAT((run<&odd_axis_kept>(counting(5), 5, 1)), ElementsAre(0, 1, 2, 3, 4));
}

void permuted(Out<int, dyn, dyn, dyn> z, In3<int> x) {
  z.store(permute<2, 0, 1>(x.tiles(2, 3, 5)(0, 0, 0)));
}
void transposed_twice(Out<int, dyn, dyn> z, In2<int> x) {
  z.store(transpose(transpose(x.load_like(z))));
}

TEST(ShapesTest, PermuteTakesEachAxisFromItsPlace) {
  const std::vector<int> got = run<&permuted>(counting(2, 3, 5), 5, 2, 3);
  for (int k = 0; k < 5; ++k) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j) {
        EXPECT_EQ(got[static_cast<std::size_t>((k * 2 + i) * 3 + j)], (i * 3 + j) * 5 + k);
      }
    }
  }
  EXPECT_EQ((run<&transposed_twice>(counting(3, 20), 3, 20)), to_host(counting(3, 20)));
}

void joined(Out<int, dyn, dyn> z, In2<int> x) {
  auto a = x.tiles(2, 4)(0, 0);
  z.store(cat<1>(a, a * 10));
}
void stacked(Out<int, dyn> z, In1<int> x) {
  auto a = x.tiles(4)(0);
  z.store(cat<0>(a, a + 100));
}

TEST(ShapesTest, CatPutsTheSecondBehindTheFirst) {
  EXPECT_THAT((run<&joined>(counting(2, 4), 2, 8)),
              ElementsAre(0, 1, 2, 3, 0, 10, 20, 30, 4, 5, 6, 7, 40, 50, 60, 70));
  EXPECT_THAT((run<&stacked>(counting(4), 8)), ElementsAre(0, 1, 2, 3, 100, 101, 102, 103));
}

void sliced(Out<int, dyn, dyn> z, In2<int> x, Int which) {
  z.store(extract<1>(x.tiles(2, 8)(0, 0), dim<1>(z), which));
}
void replaced(Out<int, dyn> z, In1<int> x, Int which) {
  z.store(insert<0>(full(-1, 2), x.load_like(z), which));
}

// A slice number outside names the slice that it is congruent to: 5 is 1 of 4, -1 is 3.
TEST(ShapesTest, ExtractAndInsertCountSlices) {
  const auto x = counting(2, 8);
  for (const auto& [which, first] : {std::pair{0, 0}, {1, 2}, {3, 6}, {5, 2}, {-1, 6}}) {
    const auto got =
        to_host(launch<sliced>(empty<int>(2, 2).partition({all, all}), x, which).sync().join());
    EXPECT_THAT(got, ElementsAre(first, first + 1, first + 8, first + 9)) << which;
  }
  for (const auto& [which, at] : {std::pair{0, 0u}, {3, 6u}, {4, 0u}, {-2, 4u}}) {
    std::vector<int> want{0, 1, 2, 3, 4, 5, 6, 7};
    want[at] = want[at + 1] = -1;
    EXPECT_EQ(
        to_host(launch<replaced>(empty<int>(8).partition({all}), counting(8), which).sync().join()),
        want)
        << which;
  }
}

void stretched(Out<int, dyn, dyn, dyn> z, In1<int> x) {
  z.store(broadcast_to(unsqueeze<1>(x.tiles(3)(0)), 2, 3, 5));
}

TEST(ShapesTest, BroadcastRepeatsAxesOfOne) {
  const std::vector<int> got = run<&stretched>(counting(3), 2, 3, 5);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], static_cast<int>(i / 5 % 3));
}

void outer_sum(Out<int, dyn, dyn> z, In1<int> x) {
  auto rows = iota(dim<0>(z));
  z.store(unsqueeze<1>(rows) * 10 + squeeze<0>(unsqueeze<0>(x.tiles(dim<1>(z))(0))));
}

TEST(ShapesTest, ShapesAlignAtTheLastAxis) {
  EXPECT_THAT((run<&outer_sum>(counting(3), 2, 3)), ElementsAre(0, 1, 2, 10, 11, 12));
}

void filled_all(Out<int, dyn> z) {
  auto n = dim<0>(z);
  z.store(zeros<int>(n) + full(3, n) + iota(n) * full<int>(2, 1) + item(full(40, 1, 1)) +
          zeros<int>());
}

TEST(ShapesTest, NewTilesHoldWhatTheySay) {
  const auto got = to_host(launch<filled_all>(empty<int>(5).partition({all})).sync().join());
  EXPECT_THAT(got, ElementsAre(43, 45, 47, 49, 51));
}

void packed(Out<std::uint8_t, dyn, dyn> z, In2<std::uint16_t> x) {
  z.store(pack<std::uint8_t>(x.tiles(2, 2)(0, 0)));
}
void unpacked(Out<std::uint16_t, dyn, dyn> z, In2<std::uint8_t> x) {
  z.store(unpack<std::uint16_t>(x.tiles(2, 4)(0, 0)));
}

TEST(ShapesTest, PackPutsTheLowestBitsFirst) {
  const std::vector<std::uint16_t> numbers{0x0102, 0x0304, 0xfffe, 0x8000};
  auto bytes = launch<packed>(empty<std::uint8_t>(2, 4).partition({all, all}),
                              from_host<std::uint16_t>(numbers, 2, 2))
                   .sync()
                   .join();
  EXPECT_THAT(to_host(bytes), ElementsAre(2, 1, 4, 3, 0xfe, 0xff, 0, 0x80));
  const auto back =
      launch<unpacked>(empty<std::uint16_t>(2, 2).partition({all, all}), bytes).sync().join();
  EXPECT_EQ(to_host(back), numbers);
}

void packed_codes(Out<std::uint8_t, dyn> z, In1<float> x) {
  z.store(pack<std::uint8_t>(as<f4e2m1>(x.tiles(4)(0))));
}
void unpacked_codes(Out<float, dyn> z, In1<std::uint8_t> x) {
  z.store(as<float>(unpack<f4e2m1>(x.tiles(2)(0))));
}

TEST(ShapesTest, PackPutsFourBitsInAHalf) {
  const std::vector<float> numbers{1.f, -6.f, 0.5f, 3.f};
  auto bytes =
      launch<packed_codes>(empty<std::uint8_t>(2).partition({all}), from_host<float>(numbers))
          .sync()
          .join();
  // The codes are 0 01 0, 1 11 1, 0 00 1 and 0 10 1.
  EXPECT_THAT(to_host(bytes), ElementsAre(0xf2, 0x51));
  const auto back = launch<unpacked_codes>(empty<float>(4).partition({all}), bytes).sync().join();
  EXPECT_EQ(to_host(back), numbers);
}

}  // namespace
}  // namespace tw::tests
