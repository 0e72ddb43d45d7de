// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/tilewright.hpp>

/// Memory that all blocks change.
namespace tw::tests {
namespace {

using testing::ElementsAre;

enum class Op { add, least, greatest, conjunction, disjunction, exclusive };

template <class T>
void update(Grid<1> work, Atomic<T, dyn> cells, In1<int> ids, In1<T> values, Op op, int width) {
  auto [i] = work.block();
  auto id = ids.tiles(width).padded(-1)(i);
  auto value = values.tiles(width).padded(T{})(i);
  switch (op) {
    case Op::add:
      if constexpr (std::is_signed_v<T> || !std::is_integral_v<T>) cells.add(id, value);
      return;
    case Op::least:
      if constexpr (std::is_integral_v<T>) cells.min(id, value);
      return;
    case Op::greatest:
      if constexpr (std::is_integral_v<T>) cells.max(id, value);
      return;
    case Op::conjunction:
      if constexpr (std::is_integral_v<T>) cells.and_(id, value);
      return;
    case Op::disjunction:
      if constexpr (std::is_integral_v<T>) cells.or_(id, value);
      return;
    case Op::exclusive:
      if constexpr (std::is_integral_v<T>) cells.xor_(id, value);
      return;
  }
}

template <class T>
T combined(Op op, T a, T b) {
  switch (op) {
    case Op::least:
      return std::min(a, b);
    case Op::greatest:
      return std::max(a, b);
    case Op::conjunction:
      return static_cast<T>(a & b);
    case Op::disjunction:
      return static_cast<T>(a | b);
    case Op::exclusive:
      return static_cast<T>(a ^ b);
    default:
      return static_cast<T>(a + b);
  }
}

template <class T>
class AtomicIntegersTest : public testing::Test {};
using Integers = testing::Types<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(AtomicIntegersTest, Integers);

// The order of unsigned numbers is not that of their bits as signed ones. Ids repeat, -1 and the
// extent name nothing.
TYPED_TEST(AtomicIntegersTest, UpdateInTheOrderOfTheirType) {
  using T = TypeParam;
  const std::vector<int> ids{0, 1, 2, 0, -1, 1, 4, 3, 0, 2, 1};
  std::vector<T> values;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    values.push_back(static_cast<T>(i % 2 == 0 ? std::numeric_limits<T>::max() - T(i) : T(i + 1)));
  }
  for (const Op op :
       {Op::add, Op::least, Op::greatest, Op::conjunction, Op::disjunction, Op::exclusive}) {
    if (op == Op::add && std::is_unsigned_v<T>) continue;
    const T start = op == Op::add ? 0 : static_cast<T>(std::numeric_limits<T>::max() / 3);
    std::vector<T> want(4, start);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < 0 || ids[i] >= 4) continue;
      T& cell = want[static_cast<std::size_t>(ids[i])];
      cell = op == Op::add ? static_cast<T>(static_cast<std::uint64_t>(cell) +
                                            static_cast<std::uint64_t>(values[i]))
                           : combined(op, cell, values[i]);
    }
    for (const int width : {1, 3, 4, 20}) {
      auto cells = from_host<T>(std::vector<T>(4, start));
      const auto blocks =
          static_cast<int>(ids.size() + static_cast<std::size_t>(width) - 1) / width;
      launch<update<T>>(grid(blocks), mut(cells), from_host<int>(ids), from_host<T>(values), op,
                        width)
          .sync();
      EXPECT_EQ(to_host(cells), want) << static_cast<int>(op) << " " << width;
    }
  }
}

template <class T>
void accumulate(Grid<1> work, Atomic<T, dyn> cells, In1<int> ids, int width) {
  auto [i] = work.block();
  cells.add(ids.tiles(width).padded(-1)(i), 0.5f);
}

template <class T>
class AtomicFloatsTest : public testing::Test {};
using Floats = testing::Types<half, bf16, float, double>;
TYPED_TEST_SUITE(AtomicFloatsTest, Floats);

TYPED_TEST(AtomicFloatsTest, Add) {
  using T = TypeParam;
  auto cells = zeroed<T>(3);
  launch<accumulate<T>>(grid(2), mut(cells), from_host<int>({0, 2, 2, 2, 0}), 3).sync();
  const std::vector<T> got = to_host(cells);
  EXPECT_EQ(static_cast<double>(got[0]), 1);
  EXPECT_EQ(static_cast<double>(got[1]), 0);
  EXPECT_EQ(static_cast<double>(got[2]), 1.5);
}

void masked_updates(Grid<1> work, Atomic<int, dyn> cells, In1<int> ids, Int least) {
  auto [i] = work.block();
  auto id = ids.tiles(5)(i);
  cells.add(id, 1, id >= least);
  cells.store(id + 100, 7, id > 100);
}

// A mask excludes ids that would be faults, and the lanes that pad a tile are not touched at all.
TEST(AtomicTest, MasksExcuse) {
  auto cells = zeroed<int>(4);
  launch<masked_updates>(grid(1), mut(cells), from_host<int>({0, -7, 3, 3, 2}), 1).sync();
  EXPECT_THAT(to_host(cells), ElementsAre(0, 0, 1, 2));
}

void count_all(Grid<1> work, Atomic<int, dyn> cells, In1<int> ids) {
  auto [i] = work.block();
  cells.add(ids.tiles(4)(i), 1);
}

TEST(AtomicTest, AnyOtherIdOutsideIsAFault) {
  auto cells = zeroed<int>(4);
  EXPECT_THROW(launch<count_all>(grid(1), mut(cells), from_host<int>({0, 5, 1, 1})).sync(),
               DeviceFault);
  EXPECT_THAT(to_host(cells), ElementsAre(1, 2, 0, 0));
  EXPECT_THROW(launch<count_all>(grid(1), mut(cells), from_host<int>({0, -2, 1, 1})).sync(),
               DeviceFault);
}

void fetch(Out<int, dyn> old, Atomic<int, dyn> cells, In1<int> ids, int which) {
  auto id = ids.load_like(old);
  if (which == 0) old.store(cells.fetch_add(id, 10));
  if (which == 1) old.store(cells.exchange(id, id * 100));
  if (which == 2) old.store(cells.compare_exchange(id, 1, 50));
  if (which == 3) old.store(cells.load(id, {.order = memory_order::acquire}));
  if (which == 4) {
    cells.store(id, 9, {.order = memory_order::release, .scope = memory_scope::system});
    old.store(id);
  }
}

// Lanes that name no element give 0.
TEST(AtomicTest, GiveWhatWasThere) {
  const auto run = [](int which) {
    auto cells = from_host<int>({0, 1, 2, 3});
    auto old =
        launch<fetch>(empty<int>(3).partition({3}), mut(cells), from_host<int>({2, 4, 1}), which)
            .sync()
            .join();
    return std::pair(to_host(old), to_host(cells));
  };
  EXPECT_EQ(run(0), std::pair(std::vector{2, 0, 1}, std::vector{0, 11, 12, 3}));
  EXPECT_EQ(run(1), std::pair(std::vector{2, 0, 1}, std::vector{0, 100, 200, 3}));
  EXPECT_EQ(run(2), std::pair(std::vector{2, 0, 1}, std::vector{0, 50, 2, 3}));
  EXPECT_EQ(run(3), std::pair(std::vector{2, 0, 1}, std::vector{0, 1, 2, 3}));
  EXPECT_EQ(run(4), std::pair(std::vector{2, 4, 1}, std::vector{0, 9, 9, 3}));
}

void add_tiles(Grid<2> work, Atomic<float, dyn, dyn> sums, In2<float> x, int width) {
  auto [i, j] = work.block();
  auto tile = x.tiles(2, width)(0, 0);
  sums.tiles(2, width).add(tile + as<float>(i), 0, j);
}

TEST(AtomicTest, TilesAddUpAndEndAtTheEdge) {
  for (const int width : {2, 3}) {
    auto sums = zeroed<float>(2, 5);
    const auto ones =
        from_host<float>(std::vector<float>(static_cast<std::size_t>(2 * width), 1.f), 2, width);
    launch<add_tiles>(grid(3, (5 + width - 1) / width), mut(sums), ones, width).sync();
    EXPECT_EQ(to_host(sums), std::vector<float>(10, 6.f)) << width;
    EXPECT_THROW(launch<add_tiles>(grid(1, 4), mut(sums), ones, width).sync(), DeviceFault);
  }
}

void spread_scalar(Grid<1> work, Atomic<std::int64_t, dyn> total, In1<std::int64_t> x) {
  auto [i] = work.block();
  total.add(Int(0), x.at(i));
}

TEST(AtomicTest, AScalarIdNamesOneElement) {
  std::vector<std::int64_t> numbers(100);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{1} << 40);
  auto total = zeroed<std::int64_t>(1);
  launch<spread_scalar>(grid(100), mut(total), from_host<std::int64_t>(numbers)).sync();
  EXPECT_EQ(to_host(total)[0], (std::int64_t{100} << 40) + 4950);
}

}  // namespace
}  // namespace tw::tests
