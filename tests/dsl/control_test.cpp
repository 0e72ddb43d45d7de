// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/tilewright.hpp>

/// Loops and branches of the device, compared with the same C++.
namespace tw::tests {
namespace {

using testing::ElementsAre;

/// Runs a kernel with one output of one element.
template <auto Kernel, class... A>
int run(A... arguments) {
  return to_host(launch<Kernel>(empty<int>(1).partition({1}), arguments...).sync().join())[0];
}

void weighted_sum(Out<int, 1> z, Int from, Int to, Int step) {
  Var total = Int(0);
  Var steps = Int(0);
  for (Int i : range(from, to, step)) {
    total = total * 3 + i;
    steps = steps + 1;
  }
  z.store(full(0, 1) + total * 100 + steps);
}

int host_weighted_sum(int from, int to, int step) {
  int total = 0;
  int steps = 0;
  for (int i = from; i < to; i += step) {
    total = total * 3 + i;
    ++steps;
  }
  return total * 100 + steps;
}

TEST(ControlTest, RangesCountLikeForLoops) {
  for (const int from : {-3, 0, 2}) {
    for (const int to : {-4, 0, 1, 5}) {
      for (const int step : {1, 2, 3, 100}) {
        EXPECT_EQ(run<&weighted_sum>(from, to, step), host_weighted_sum(from, to, step))
            << from << " to " << to << " by " << step;
      }
    }
  }
}

TEST(ControlTest, AStepThatIsNotPositiveIsAFault) {
  EXPECT_THROW(run<&weighted_sum>(0, 4, 0), DeviceFault);
  EXPECT_THROW(run<&weighted_sum>(0, 4, -1), DeviceFault);
}

/// A variable becomes one that never changes, and two change places.
void exchanged(Out<int, 1> z, Int n) {
  Var p = Int(1);
  Var q = Int(2);
  Var r = Int(3);
  Var s = Int(4);
  for (Int i : range(n)) {
    p = q;
    Var old = r;
    r = s;
    s = old + i;
  }
  z.store(full(0, 1) + p * 1000 + q * 100 + r * 10 + s);
}

TEST(ControlTest, VariablesChangePlaces) {
  for (const int n : {0, 1, 2, 5}) {
    int p = 1;
    int r = 3;
    int s = 4;
    for (int i = 0; i < n; ++i) {
      p = 2;
      const int old = r;
      r = s;
      s = old + i;
    }
    EXPECT_EQ(run<&exchanged>(n), p * 1000 + 2 * 100 + r * 10 + s) << n;
  }
}

/// How many steps the Collatz sequence takes, and where it stands when a loop with several ends
/// leaves.
void collatz(Out<int, 1> z, Int start, Int most, Int highest) {
  Var n = start;
  Var steps = Int(0);
  Var left_by = Int(0);
  for (auto& l : loop()) {
    l.break_if(n == 1);
    left_by = Int(1);
    l.break_if(steps >= most);
    left_by = Int(2);
    steps = steps + 1;
    TW_IF(n % 2 == 0) {
      n = n / 2;
      l.continue_if(n > 100);
    }
    else {
      n = n * 3 + 1;
      left_by = Int(3);
      l.break_if(n > highest);
    }
    left_by = Int(0);
  }
  z.store(full(0, 1) + left_by * 1000000 + steps * 1000 + n % 1000);
}

int host_collatz(int n, int most, int highest) {
  int steps = 0;
  int left_by = 0;
  for (;;) {
    if (n == 1) break;
    left_by = 1;
    if (steps >= most) break;
    left_by = 2;
    ++steps;
    if (n % 2 == 0) {
      n /= 2;
      if (n > 100) continue;
    } else {
      n = n * 3 + 1;
      left_by = 3;
      if (n > highest) break;
    }
    left_by = 0;
  }
  return left_by * 1000000 + steps * 1000 + n % 1000;
}

TEST(ControlTest, OpenLoopsEndWhereTheySay) {
  for (const int start : {1, 2, 3, 7, 27}) {
    for (const int most : {0, 5, 200}) {
      for (const int highest : {10, 100, 100000}) {
        EXPECT_EQ(run<&collatz>(start, most, highest), host_collatz(start, most, highest))
            << start << " " << most << " " << highest;
      }
    }
  }
}

void classify(Out<int, 1> z, Int n) {
  Var kind = Int(0);
  Var untouched = Int(7);
  TW_IF(n < 0) { kind = Int(1); }
  else TW_IF(n == 0) {
    kind = Int(2);
  }
  else TW_IF(n % 2 == 0) {
    TW_IF(n > 10) { kind = kind + 4; }
    else {
      kind = kind + 3;
    }
  }
  else {
    kind = n;
  }
  z.store(full(0, 1) + kind * 10 + untouched);
}

TEST(ControlTest, BranchesChooseTheFirstThatHolds) {
  EXPECT_EQ(run<&classify>(-5), 17);
  EXPECT_EQ(run<&classify>(0), 27);
  EXPECT_EQ(run<&classify>(4), 37);
  EXPECT_EQ(run<&classify>(12), 47);
  EXPECT_EQ(run<&classify>(9), 97);
}

void count_pairs(Out<int, 1> z, Int n, Int limit) {
  Var count = Int(0);
  Var last = Int(-1);
  for (Int i : range(n)) {
    for (Int j : range(i, n)) {
      TW_IF(i + j <= limit) {
        count = count + 1;
        for (auto& l : loop()) {
          l.break_if(last >= j);
          last = last + 1;
        }
      }
    }
  }
  z.store(full(0, 1) + count * 100 + last);
}

TEST(ControlTest, LoopsAndBranchesNest) {
  for (const int n : {0, 1, 4, 6}) {
    for (const int limit : {-1, 0, 3, 20}) {
      int count = 0;
      int last = -1;
      for (int i = 0; i < n; ++i) {
        for (int j = i; j < n; ++j) {
          if (i + j > limit) continue;
          ++count;
          if (last < j) last = j;
        }
      }
      EXPECT_EQ(run<&count_pairs>(n, limit), count * 100 + last) << n << " " << limit;
    }
  }
}

void with_functions(Out<int, 1> z, Int n) {
  Var x = Int(1);
  if_(n > 3, [&] { x = n; }, [&] { x = -n; });
  if_(x > 10, [&] { x = x - 10; });
  z.store(full(0, 1) + x);
}

TEST(ControlTest, BranchesAreFunctionsToo) {
  EXPECT_EQ(run<&with_functions>(2), -2);
  EXPECT_EQ(run<&with_functions>(5), 5);
  EXPECT_EQ(run<&with_functions>(15), 5);
}

/// Stores happen in the branches and loops that hold them, in program order.
void store_along(Out<int, dyn> z, Int n) {
  auto tiles = z.tiles(1);
  for (Int i : range(tiles.count(0))) tiles.store(full(-1, 1), i);
  for (Int i : range(n)) {
    TW_IF(i % 2 == 0) tiles.store(full(0, 1) + i, i / 2);
  }
  TW_IF(n > 2) { tiles.store(full(50, 1), 1); }
  else {
    tiles.store(full(60, 1), 1);
  }
}

TEST(ControlTest, StoresKeepTheirOrder) {
  const auto stored = [](int n) {
    return to_host(launch<store_along>(empty<int>(4).partition({whole}), n).sync().join());
  };
  EXPECT_THAT(stored(0), ElementsAre(-1, 60, -1, -1));
  EXPECT_THAT(stored(7), ElementsAre(0, 50, 4, 6));
}

/// What a kernel is given lives outside all loops, wherever it is asked for first.
void ask_in_a_loop(Out<int, dyn> z, In1<int> x, Int n) {
  Var total = Int(0);
  for (Int i : range(n)) total = total + i + block<0>(z) + x.extent(0);
  z.store(full(0, dim<0>(z)) + total + block<0>(z) + x.extent(0));
}

TEST(ControlTest, WhatIsAskedInALoopHoldsBehindIt) {
  const auto x = from_host<int>({1, 2, 3, 4}, 4);
  const auto z = launch<ask_in_a_loop>(empty<int>(2).partition({1}), x, 2).sync().join();
  EXPECT_THAT(to_host(z), ElementsAre(1 + 2 * 4 + 4, 1 + 2 * (1 + 4) + 1 + 4));
}

/// What the host decides is no branch at all.
void host_decides(Out<int, 1> z, Int n, bool doubled, int rounds) {
  Var x = n;
  if (doubled) x = x * 2;
  for (int i = 0; i < rounds; ++i) x = x + i;
  z.store(full(0, 1) + x);
}

TEST(ControlTest, TheHostDecidesWithCpp) {
  EXPECT_EQ(run<&host_decides>(5, false, 0), 5);
  EXPECT_EQ(run<&host_decides>(5, true, 4), 16);
}

}  // namespace
}  // namespace tw::tests
