// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/tilewright.hpp>

/// What lies where: tiles and their ragged ends, padding, views of views, gathers and faults.
namespace tw::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class T = int, class... N>
auto counting(N... extents) {
  std::vector<T> numbers((std::size_t{1} * ... * static_cast<std::size_t>(extents)));
  std::iota(numbers.begin(), numbers.end(), T{0});
  return from_host<T>(numbers, extents...);
}

/// Expects that a launch is reported, and that the message says so.
template <class Run>
void expect_fault(Run&& run, const std::string& message) {
  try {
    static_cast<void>(run());
    ADD_FAILURE() << "no fault";
  } catch (const DeviceFault& fault) {
    EXPECT_THAT(fault.what(), HasSubstr(message));
    EXPECT_STREQ(fault.where().file_name(), __FILE__);
  }
}

void one_tile(Out<int, dyn> z, In1<int> x, Int i) { z.store(x.tiles(dim<0>(z))(i)); }

std::vector<int> tile_of_ten(int width, int i) {
  return to_host(
      launch<one_tile>(empty<int>(width).partition({all}), counting(10), i).sync().join());
}

TEST(TilesTest, TheRaggedEndReadsZero) {
  EXPECT_THAT(tile_of_ten(4, 0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(tile_of_ten(4, 2), ElementsAre(8, 9, 0, 0));
  EXPECT_THAT(tile_of_ten(3, 2), ElementsAre(6, 7, 8));
  EXPECT_THAT(tile_of_ten(3, 3), ElementsAre(9, 0, 0));
  EXPECT_THAT(tile_of_ten(20, 0).size(), 20u);
}

/// Asks for places, but never stores: there are too many.
void only_count(Out<std::uint8_t, dyn> z) {
  static_cast<void>(index<0>(z));
  TW_IF(block<0>(z) < 0) { z.store(zeros<std::uint8_t>(dim<0>(z))); }
}

auto count_along(std::int64_t extent) {
  return launch<only_count>(empty<std::uint8_t>(extent).partition({1 << 24})).sync().join();
}

// 128 tiles of 2^24 elements: the last lane of the last one is 2^31 - 1.
TEST(IndexTest, EveryLaneIsAnInt) {
  constexpr std::int64_t longest = (std::int64_t{1} << 31) - (1 << 24);
  EXPECT_EQ(count_along(longest).size(), longest);
  expect_fault([] { return count_along(longest + 1); }, "that no Int holds");
}

void only_extent(Out<int, dyn> z, In1<std::uint8_t> x) {
  static_cast<void>(x.extent(0));
  z.store(zeros<int>(dim<0>(z)));
}

TEST(ExtentTest, IsAnInt) {
  const View<std::uint8_t, 1> one = counting<std::uint8_t>(1);
  const auto extent_of = [&](std::int64_t extent) {
    auto z = launch<only_extent>(empty<int>(1).partition({1}), one.expanded({extent})).sync();
    return to_host(std::move(z).join());
  };
  EXPECT_THAT(extent_of((std::int64_t{1} << 31) - 1), ElementsAre(0));
  expect_fault([&] { return extent_of(std::int64_t{1} << 31); }, "that no Int holds");
}

TEST(TilesTest, AnyOtherIndexOutsideIsAFault) {
  expect_fault([] { return tile_of_ten(4, 3); }, "3");
  expect_fault([] { return tile_of_ten(4, -1); }, "-1");
  expect_fault([] { return tile_of_ten(3, 4); }, "4");
}

template <class T>
void padded_tile(Out<T, dyn> z, In1<T> x, Int i, T padding) {
  z.store(x.tiles(dim<0>(z)).padded(padding)(i));
}

template <class T>
std::vector<T> padded(int width, int i, T padding) {
  return to_host(
      launch<padded_tile<T>>(empty<T>(width).partition({all}), counting<T>(5), i, padding)
          .sync()
          .join());
}

TEST(TilesTest, PaddingMakesATilingTotal) {
  EXPECT_THAT(padded<int>(4, 1, -7), ElementsAre(4, -7, -7, -7));
  EXPECT_THAT(padded<int>(3, 1, 9), ElementsAre(3, 4, 9));
  EXPECT_THAT(padded<int>(4, 2, -7), ElementsAre(-7, -7, -7, -7));
  EXPECT_THAT(padded<int>(4, -1, 5), ElementsAre(5, 5, 5, 5));
  EXPECT_THAT(padded<int>(4, std::numeric_limits<int>::max(), 5), ElementsAre(5, 5, 5, 5));
}

TEST(TilesTest, EveryNumberPads) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float padding : {0.f, -0.f, infinity, -infinity, 1.5f}) {
    const std::vector<float> got = padded<float>(2, 2, padding);
    EXPECT_EQ(got[0], 4.f);
    EXPECT_EQ(got[1], padding);
    EXPECT_EQ(std::signbit(got[1]), std::signbit(padding));
    EXPECT_EQ(padded<float>(2, 7, padding)[0], padding);
  }
  const std::vector<float> got = padded<float>(2, 2, std::nanf(""));
  EXPECT_EQ(got[0], 4.f);
  EXPECT_TRUE(std::isnan(got[1]));
}

template <class T>
void padded_both_ways(Out<float, 4> z, Out<float, 4> gathered, In1<T> x, float padding) {
  auto tiles = x.tiles(4).padded(padding);
  z.store(as<float>(tiles(0)));
  gathered.store(as<float>(gather<0>(tiles, iota(4))));
}

/// What lies behind two elements that are one.
template <class T>
std::vector<float> read_behind(float padding) {
  const std::vector<T> ones(2, T(1.f));
  auto [z, gathered] =
      launch<padded_both_ways<T>>(empty<float>(4).partition({4}), empty<float>(4).partition({4}),
                                  from_host<T>(ones, 2), padding)
          .sync()
          .join();
  return {to_host(z)[3], to_host(gathered)[3]};
}

TEST(TilesTest, TheLargestNumberOfASmallFormatPadsAsItself) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float padding : {448.f, infinity}) {
    EXPECT_THAT(read_behind<f8e4m3>(padding), ElementsAre(448, 448));
    EXPECT_THAT(read_behind<f8e4m3>(-padding), ElementsAre(-448, -448));
  }
  for (const float padding : {57344.f, infinity}) {
    EXPECT_THAT(read_behind<f8e5m2>(padding), ElementsAre(57344, 57344));
    EXPECT_THAT(read_behind<f8e5m2>(-padding), ElementsAre(-57344, -57344));
  }
  EXPECT_THAT(read_behind<f8e8m0>(0x1p127f), ElementsAre(0x1p127f, 0x1p127f));
  EXPECT_THAT(read_behind<f8e5m3>(114688), ElementsAre(114688, 114688));
}

void padded_like(Out<int, dyn, dyn> z, In2<int> x) { z.store(x.padded(-1).load_like(z)); }

TEST(TilesTest, PaddedInputsReachBeyondTheirEnd) {
  const auto got = to_host(
      launch<padded_like>(empty<int>(3, 4).partition({2, 2}), counting(2, 3)).sync().join());
  EXPECT_THAT(got, ElementsAre(0, 1, 2, -1, 3, 4, 5, -1, -1, -1, -1, -1));
}

void like_larger(Out<int, dyn> z, In1<int> x) { z.store(x.load_like(z)); }

TEST(TilesTest, LoadLikeOutsideIsAFault) {
  expect_fault([] { return launch<like_larger>(empty<int>(8).partition({2}), counting(5)).sync(); },
               "load");
}

void tile_counts(Out<int, 1> z, In2<int> x, int width) {
  auto tiles = x.tiles(2, width);
  z.store(full(0, 1) + tiles.count(0) * 1000 + tiles.count(1) * 100 + x.extent(0) * 10 +
          x.extent(1));
}

TEST(TilesTest, CountsRaggedTiles) {
  const auto counts = [](int width) {
    return to_host(
        launch<tile_counts>(empty<int>(1).partition({1}), counting(3, 7), width).sync().join())[0];
  };
  EXPECT_EQ(counts(2), 2437);
  EXPECT_EQ(counts(7), 2137);
  EXPECT_EQ(counts(20), 2137);
}

void selected(Out<int, dyn> z, In4<int> x, Int a, Int c) {
  auto plane = select<0, 2>(x, a, c);
  z.store(squeeze<0>(plane.tiles(1, dim<0>(z))(1, 0)));
}

TEST(ViewsTest, SelectFixesAxes) {
  const auto x = counting(2, 3, 4, 5);
  const auto got = to_host(launch<selected>(empty<int>(5).partition({all}), x, 1, 2).sync().join());
  const int first = ((1 * 3 + 1) * 4 + 2) * 5;
  EXPECT_THAT(got, ElementsAre(first, first + 1, first + 2, first + 3, first + 4));
  expect_fault([&] { return launch<selected>(empty<int>(5).partition({all}), x, 2, 0).sync(); },
               "select");
  expect_fault([&] { return launch<selected>(empty<int>(5).partition({all}), x, 0, -1).sync(); },
               "select");
}

void selected_to_one(Out<int, 1> z, In2<int> x, Int i, Int j) {
  z.store(full(0, 1) + select<0, 1>(x, i, j).at() + x.at(i, j) * 100);
}

TEST(ViewsTest, AViewWithoutAxesHasOneElement) {
  const auto got = to_host(
      launch<selected_to_one>(empty<int>(1).partition({1}), counting(3, 4), 2, 1).sync().join());
  EXPECT_THAT(got, ElementsAre(909));
}

void one_element(Out<int, 1> z, In2<int> x, Int i, Int j) { z.store(full(0, 1) + x.at(i, j)); }

TEST(ViewsTest, AtReadsOneElement) {
  const auto at = [](int i, int j) {
    return to_host(
        launch<one_element>(empty<int>(1).partition({1}), counting(3, 4), i, j).sync().join())[0];
  };
  EXPECT_EQ(at(0, 0), 0);
  EXPECT_EQ(at(2, 3), 11);
  expect_fault([&] { return at(3, 0); }, "load");
  expect_fault([&] { return at(0, 4); }, "load");
  expect_fault([&] { return at(-1, 0); }, "load");
}

void sliced(Out<int, dyn> z, In1<int> x, Int start, Int length, Int i) {
  z.store(slice<0>(x, start, length).tiles(dim<0>(z)).padded(-1)(i));
}

TEST(ViewsTest, SliceNarrows) {
  const auto part = [](int start, int length, int i) {
    return to_host(launch<sliced>(empty<int>(4).partition({all}), counting(10), start, length, i)
                       .sync()
                       .join());
  };
  EXPECT_THAT(part(3, 6, 0), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(part(3, 6, 1), ElementsAre(7, 8, -1, -1));
  EXPECT_THAT(part(3, 6, 2), ElementsAre(-1, -1, -1, -1));
  EXPECT_THAT(part(10, 0, 0), ElementsAre(-1, -1, -1, -1));
  expect_fault([&] { return part(3, 8, 0); }, "slice");
  expect_fault([&] { return part(11, 0, 0); }, "slice");
  expect_fault([&] { return part(-1, 2, 0); }, "slice");
  expect_fault([&] { return part(3, -1, 0); }, "slice");
}

void slice_of_a_slice(Out<int, dyn, dyn> z, In3<int> x) {
  auto inner = slice<1>(slice<1>(select<0>(x, 1), 1, 4), 1, 2);
  z.store(inner.tiles(dim<0>(z), 2)(0, 0));
}

TEST(ViewsTest, ViewsOfViews) {
  const auto got =
      to_host(launch<slice_of_a_slice>(empty<int>(3, 2).partition({all, all}), counting(2, 3, 6))
                  .sync()
                  .join());
  EXPECT_THAT(got, ElementsAre(20, 21, 26, 27, 32, 33));
}

void gathered(Out<int, dyn, dyn> z, In2<int> x, In1<int> ids, Int j) {
  auto tiles = x.tiles(dim<0>(z), dim<1>(z));
  z.store(gather<0>(tiles, ids.tiles(dim<0>(z))(0), j));
}
void gathered_or_padded(Out<int, dyn, dyn> z, In2<int> x, In1<int> ids, Int j) {
  auto tiles = x.tiles(dim<0>(z), dim<1>(z)).padded(-9);
  z.store(gather<0>(tiles, ids.tiles(dim<0>(z)).padded(-1)(0), j));
}

template <auto Kernel>
std::vector<int> gather_rows(std::vector<int> ids, int j, int width = 2) {
  const auto count = static_cast<std::int64_t>(ids.size());
  return to_host(launch<Kernel>(empty<int>(count, width).partition({all, all}), counting(5, 6),
                                from_host<int>(ids), j)
                     .sync()
                     .join());
}

TEST(GatherTest, TakesRowsByTheirIds) {
  EXPECT_THAT(gather_rows<&gathered>({4, 0, 4}, 1), ElementsAre(26, 27, 2, 3, 26, 27));
  EXPECT_THAT(gather_rows<&gathered>({1}, 0, 5), ElementsAre(6, 7, 8, 9, 10));
  EXPECT_THAT(gather_rows<&gathered>({1}, 1, 4), ElementsAre(10, 11, 0, 0));
}

TEST(GatherTest, AnIdOutsideIsAFaultOrPadding) {
  for (const int outside : {-1, 5, 6, std::numeric_limits<int>::min()}) {
    expect_fault([&] { return gather_rows<&gathered>({0, outside, 1}, 0); },
                 std::to_string(outside));
    EXPECT_THAT(gather_rows<&gathered_or_padded>({0, outside, 1}, 0),
                ElementsAre(0, 1, -9, -9, 6, 7));
  }
  EXPECT_THAT(gather_rows<&gathered_or_padded>({2}, 1, 4), ElementsAre(16, 17, -9, -9));
  EXPECT_THAT(gather_rows<&gathered_or_padded>({2}, 3), ElementsAre(-9, -9));
  EXPECT_THAT(gather_rows<&gathered_or_padded>({2}, -1), ElementsAre(-9, -9));
}

void gathered_columns(Out<int, dyn, dyn> z, In2<int> x, In1<int> ids) {
  z.store(gather<1>(x.tiles(dim<0>(z), dim<1>(z)), ids.tiles(dim<1>(z))(0), 1));
}
void gathered_elements(Out<int, dyn> z, In1<int> x, In1<int> ids) {
  z.store(gather<0>(x.tiles(dim<0>(z)), ids.load_like(z)));
}

TEST(GatherTest, TakesElementsAlongAnyAxis) {
  const auto columns = to_host(launch<gathered_columns>(empty<int>(2, 3).partition({all, all}),
                                                        counting(5, 6), from_host<int>({5, 0, 3}))
                                   .sync()
                                   .join());
  EXPECT_THAT(columns, ElementsAre(17, 12, 15, 23, 18, 21));
  const auto elements = to_host(launch<gathered_elements>(empty<int>(5).partition({2}), counting(8),
                                                          from_host<int>({7, 6, 0, 3, 3}))
                                    .sync()
                                    .join());
  EXPECT_THAT(elements, ElementsAre(7, 6, 0, 3, 3));
}

/// The box in smaller tiles, in place.
void streamed(InOut<int, 1, dyn> z, int width) {
  auto tiles = z.tiles(1, width);
  for (Int j : range(tiles.count(1))) tiles.store(tiles(0, j) * 10 + j, 0, j);
}

TEST(OwnTilesTest, AWholeAxisIsStreamedUpToItsEdge) {
  for (const int width : {2, 3, 4, 8}) {
    auto x = counting(2, 7);
    launch<streamed>(mut(x).partition({1, whole}), width).sync();
    std::vector<int> want;
    for (int i = 0; i < 14; ++i) want.push_back(i * 10 + i % 7 / width);
    EXPECT_EQ(to_host(x), want) << width;
  }
}

void quartered(Out<int, dyn, dyn> z, int width, Int i, Int j) {
  auto tiles = z.tiles(width, width);
  for (Int a : range(tiles.count(0))) {
    for (Int b : range(tiles.count(1))) tiles.store(full(0, width, width) + a * 10 + b, a, b);
  }
  tiles.store(full(99, width, width), i, j);
}

TEST(OwnTilesTest, ACutAxisIsCountedFromTheBox) {
  const auto stored = [](int i, int j) {
    return to_host(launch<quartered>(empty<int>(4, 6).partition({4, 4}), 2, i, j).sync().join());
  };
  EXPECT_THAT(stored(1, 0), ElementsAre(0, 0, 1, 1, 0, 0,        //
                                        0, 0, 1, 1, 0, 0,        //
                                        99, 99, 11, 11, 99, 99,  //
                                        99, 99, 11, 11, 99, 99));
  expect_fault([&] { return stored(2, 0); }, "store");
  expect_fault([&] { return stored(0, -1); }, "store");
}

void narrowed(Out<int, dyn> z, Int start, Int length) {
  z.tiles(8).store(zeros<int>(8), 0);
  slice<0>(z, start, length).tiles(4).store(full(5, 4), 0);
}

TEST(OwnTilesTest, ASliceOfAWholeAxisEndsEarly) {
  const auto stored = [](int start, int length) {
    return to_host(launch<narrowed>(empty<int>(8).partition({whole}), start, length).sync().join());
  };
  EXPECT_THAT(stored(3, 5), ElementsAre(0, 0, 0, 5, 5, 5, 5, 0));
  EXPECT_THAT(stored(3, 2), ElementsAre(0, 0, 0, 5, 5, 0, 0, 0));
  expect_fault([&] { return stored(3, 6); }, "slice");
}

void squeezed(Out<int, 1, dyn, 1> z, In1<int> x) {
  auto row = squeeze<0, 2>(z);
  row.store(x.load_like(row) + block<0>(z) * 100 + block<2>(z) * 10 + index<0>(row));
}

TEST(OwnTilesTest, SqueezeDropsAxesOfOne) {
  const auto got = to_host(
      launch<squeezed>(empty<int>(2, 5, 3).partition({1, 2, 1}), counting(5)).sync().join());
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 5; ++j) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(got[static_cast<std::size_t>((i * 5 + j) * 3 + k)], i * 100 + k * 10 + 2 * j);
      }
    }
  }
}

/// A store must not touch what lies beyond a box of three: the next block owns it.
void odd_boxes(Out<int, dyn, dyn> z) {
  auto [i, j] = z.block();
  z.store(zeros<int>(dim<0>(z), dim<1>(z)) + i * 10 + j);
}

TEST(OwnTilesTest, BoxesOfAnyWidthMeetWithoutOverlap) {
  for (const auto& [rows, columns] : {std::pair{1, 3}, {3, 5}, {5, 20}, {3, 96}}) {
    const auto got =
        to_host(launch<odd_boxes>(empty<int>(7, 200).partition({rows, columns})).sync().join());
    for (int i = 0; i < 7; ++i) {
      for (int j = 0; j < 200; ++j) {
        ASSERT_EQ(got[static_cast<std::size_t>(i * 200 + j)], i / rows * 10 + j / columns)
            << rows << " x " << columns << " at " << i << ", " << j;
      }
    }
  }
}

void listed_rows(Out<int, dyn, dyn> z, In2<int> x) {
  auto row = unsqueeze<1>(index<0>(z));
  z.store(x.load_like(z) * 100 + row);
}

// -1 and the extent itself name no row; every other id outside is a fault.
TEST(RowListsTest, OwnTheRowsThatTheirIdsName) {
  const auto scattered = [](std::vector<int> ids, int rows, int columns) {
    auto z = zeroed<int>(6, 5);
    launch<listed_rows>(mut(z).partition(from_host<int>(ids), {rows, columns}), counting(6, 5))
        .sync();
    return to_host(z);
  };
  for (const int rows : {1, 2, 3, 4}) {
    for (const int columns : {2, 3, 5}) {
      const std::vector<int> ids{4, -1, 0, 6, 5};
      const std::vector<int> got = scattered(ids, rows, columns);
      for (int i = 0; i < 6; ++i) {
        const bool named = i == 0 || i == 4 || i == 5;
        for (int j = 0; j < 5; ++j) {
          ASSERT_EQ(got[static_cast<std::size_t>(i * 5 + j)], named ? (i * 5 + j) * 100 + i : 0)
              << rows << " x " << columns << " at " << i << ", " << j;
        }
      }
    }
  }
  expect_fault([&] { return scattered({0, 7}, 2, 5); }, "7");
  expect_fault([&] { return scattered({-2}, 1, 5); }, "-2");
}

void raised(InOut<int, dyn, dyn> z) { z.store(z.load() + 1); }

TEST(RowListsTest, CertifiedRowsAreLoadedAndStored) {
  Stream stream(Device::cpu());
  auto z = counting(4, 3);
  const auto ids = from_host<int>({3, 0});
  launch<raised>(mut(z).partition(distinct(ids, 4).on(stream), {2, 3})).on(stream);
  EXPECT_THAT(to_host(z), ElementsAre(1, 2, 3, 3, 4, 5, 6, 7, 8, 10, 11, 12));
}

void listed_sum(Out<int, 1> z, List<In1<int>> xs, Int g) {
  auto x = xs[g];
  Var total = Int(0);
  for (Int i : range(x.extent(0))) total = total + x.at(i);
  z.store(full(0, 1) + total * 10 + xs.size());
}

TEST(ListsTest, HoldTensorsOfTheirOwnSize) {
  std::vector<Tensor<int, 1>> xs;
  for (const int n : {3, 1, 5}) xs.push_back(counting(n));
  const auto sum = [&](int g) {
    return to_host(launch<listed_sum>(empty<int>(1).partition({1}), xs, g).sync().join())[0];
  };
  EXPECT_EQ(sum(0), 33);
  EXPECT_EQ(sum(1), 3);
  EXPECT_EQ(sum(2), 103);
  expect_fault([&] { return sum(3); }, "list");
  expect_fault([&] { return sum(-1); }, "list");
}

void maybe(Out<int, dyn> z, std::optional<Out<int, dyn>> copy, std::optional<In1<int>> bias) {
  Var x = index<0>(z);
  if (bias) x = x + bias->load_like(z);
  if (copy) copy->store(x);
  z.store(x);
}

TEST(OptionalTest, PresenceIsDecidedByTheHost) {
  const auto plain =
      launch<maybe>(empty<int>(4).partition({2}), std::nullopt, std::nullopt).sync().join();
  EXPECT_THAT(to_host(plain), ElementsAre(0, 1, 2, 3));
  auto [z, copy] =
      launch<maybe>(empty<int>(4).partition({2}), empty<int>(4).partition({2}), counting(4))
          .sync()
          .join();
  EXPECT_THAT(to_host(z), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(to_host(copy), ElementsAre(0, 2, 4, 6));
}

}  // namespace
}  // namespace tw::tests
