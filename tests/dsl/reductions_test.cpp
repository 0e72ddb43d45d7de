// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>

#include <tilewright/tilewright.hpp>

/// Reductions and scans, above all along axes that are no powers of two: what pads them must not
/// count.
namespace tw::tests {
namespace {

using testing::ElementsAre;

const std::vector<int> extents = {1, 2, 3, 5, 8, 20, 96};

/// Small numbers of both signs, none of them the identity of what is tested.
template <class T>
std::vector<T> numbers(int count) {
  std::vector<T> result;
  for (int i = 0; i < count; ++i) {
    const int number = (i * 7 + 3) % 11 - 5;
    result.push_back(
        static_cast<T>(std::is_signed_v<T> ? number - (number >= 0 ? -1 : 0) : number + 6));
  }
  return result;
}

/// A product that wraps.
template <class T>
T times(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  } else {
    return a * b;
  }
}

template <class T>
void reduce_rows(Out<T, dyn, 1> total, Out<T, dyn, 1> product, Out<T, dyn, 1> least,
                 Out<T, dyn, 1> greatest, In2<T> x, int columns) {
  auto a = x.tiles(dim<0>(total), columns)(block<0>(total), 0);
  total.store(sum<1>(a));
  product.store(prod<1>(a));
  least.store(min<1>(a));
  greatest.store(max<1>(a));
}

template <class T>
class ReductionsTest : public testing::Test {};
using Numbers = testing::Types<std::int8_t, std::int32_t, std::int64_t, std::uint8_t, std::uint32_t,
                               float, double>;
TYPED_TEST_SUITE(ReductionsTest, Numbers);

TYPED_TEST(ReductionsTest, NamedReductionsIgnoreWhatPadsTheAxis) {
  using T = TypeParam;
  constexpr int rows = 5;
  for (const int columns : extents) {
    const std::vector<T> x = numbers<T>(rows * columns);
    auto part = [&] { return empty<T>(rows, 1).partition({3, 1}); };
    auto [total, product, least, greatest] =
        launch<reduce_rows<T>>(part(), part(), part(), part(), from_host<T>(x, rows, columns),
                               columns)
            .sync()
            .join();
    for (int i = 0; i < rows; ++i) {
      T want_total = 0;
      T want_product = 1;
      T want_least = x[static_cast<std::size_t>(i * columns)];
      T want_greatest = want_least;
      for (int j = 0; j < columns; ++j) {
        const T each = x[static_cast<std::size_t>(i * columns + j)];
        want_total = static_cast<T>(want_total + each);
        want_product = times(want_product, each);
        want_least = std::min(want_least, each);
        want_greatest = std::max(want_greatest, each);
      }
      const auto at = static_cast<std::size_t>(i);
      EXPECT_EQ(to_host(total)[at], want_total) << columns;
      EXPECT_EQ(to_host(product)[at], want_product) << columns;
      EXPECT_EQ(to_host(least)[at], want_least) << columns;
      EXPECT_EQ(to_host(greatest)[at], want_greatest) << columns;
    }
  }
}

// Padding is neutral even where every number is beyond the usual.
void extremes(Out<float, 1> least, Out<float, 1> greatest, Out<std::uint8_t, 1> low,
              Out<std::int8_t, 1> high, In1<float> x, In1<std::uint8_t> y, In1<std::int8_t> z) {
  least.store(min<0>(x.tiles(3)(0)));
  greatest.store(max<0>(-x.tiles(3)(0)));
  low.store(min<0>(y.tiles(3)(0)));
  high.store(max<0>(z.tiles(3)(0)));
}

TEST(ReductionTest, IdentitiesAreTheExtremesOfTheType) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  auto [least, greatest, low, high] =
      launch<extremes>(empty<float>(1).partition({1}), empty<float>(1).partition({1}),
                       empty<std::uint8_t>(1).partition({1}), empty<std::int8_t>(1).partition({1}),
                       from_host<float>({infinity, infinity, infinity}),
                       from_host<std::uint8_t>({255, 255, 255}),
                       from_host<std::int8_t>({-128, -128, -128}))
          .sync()
          .join();
  EXPECT_EQ(to_host(least)[0], infinity);
  EXPECT_EQ(to_host(greatest)[0], -infinity);
  EXPECT_EQ(to_host(low)[0], 255);
  EXPECT_EQ(to_host(high)[0], -128);
}

void not_numbers(Out<float, 1> ignored, Out<float, 1> kept, In1<float> x) {
  auto a = x.tiles(5)(0);
  ignored.store(max<0>(a));
  kept.store(max<0>(a, {.propagate_nan = true}));
}

TEST(ReductionTest, NotANumberWinsOnlyWhenAsked) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  auto [ignored, kept] =
      launch<not_numbers>(empty<float>(1).partition({1}), empty<float>(1).partition({1}),
                          from_host<float>({1.f, nan, 4.f, -2.f, 3.f}))
          .sync()
          .join();
  EXPECT_EQ(to_host(ignored)[0], 4.f);
  EXPECT_TRUE(std::isnan(to_host(kept)[0]));
}

void truths(Out<bool, 1, dyn> every, Out<bool, 1, dyn> any, In2<bool> x) {
  auto a = x.tiles(3, 4)(0, 0);
  every.store(all_of<0>(a));
  any.store(any_of<0>(a));
}

TEST(ReductionTest, AllAndAnyLookAtTruth) {
  const std::vector<std::uint8_t> x{1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0};
  auto [every, any] =
      launch<truths>(empty<bool>(1, 4).partition({1, all}), empty<bool>(1, 4).partition({1, all}),
                     from_host<bool>(x, 3, 4))
          .sync()
          .join();
  EXPECT_THAT(to_host(every), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(to_host(any), ElementsAre(1, 1, 1, 0));
}

/// The running combination of plain numbers.
template <class F>
std::vector<int> running(const std::vector<int>& x, int start, bool reverse, F combine) {
  std::vector<int> result(x.size());
  int total = start;
  for (std::size_t step = 0; step < x.size(); ++step) {
    const std::size_t at = reverse ? x.size() - 1 - step : step;
    result[at] = total = combine(total, x[at]);
  }
  return result;
}

void scans(Out<int, dyn> sums, Out<int, dyn> products, Out<int, dyn> last, In1<int> x,
           bool reverse) {
  auto a = x.load_like(sums);
  sums.store(cumsum<0>(a, {.reverse = reverse}));
  products.store(cumprod<0>(a, {.reverse = reverse}));
  last.store(
      scan<0>(a, 0, [](Int total, Int each) { return total * 2 + each; }, {.reverse = reverse}));
}

TEST(ScanTest, RunsFromEitherEnd) {
  for (const int n : extents) {
    const std::vector<int> x = numbers<int>(n);
    for (const bool reverse : {false, true}) {
      auto part = [&] { return empty<int>(n).partition({all}); };
      auto [sums, products, last] =
          launch<scans>(part(), part(), part(), from_host<int>(x), reverse).sync().join();
      EXPECT_EQ(to_host(sums), running(x, 0, reverse, [](int a, int b) { return a + b; }));
      // Products and doublings wrap as the device's do.
      EXPECT_EQ(to_host(products), running(x, 1, reverse, [](int a, int b) {
                  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
                }));
      EXPECT_EQ(to_host(last), running(x, 0, reverse, [](int a, int b) {
                  return static_cast<int>(static_cast<unsigned>(a) * 2u + static_cast<unsigned>(b));
                }));
    }
  }
}

void scan_columns(Out<int, dyn, dyn> z, In2<int> x) { z.store(cumsum<0>(x.load_like(z))); }

TEST(ScanTest, RunsAlongTheAxisThatIsNamed) {
  const std::vector<int> x = numbers<int>(3 * 20);
  const auto got = to_host(
      launch<scan_columns>(empty<int>(3, 20).partition({all, all}), from_host<int>(x, 3, 20))
          .sync()
          .join());
  for (std::size_t j = 0; j < 20; ++j) {
    EXPECT_EQ(got[j], x[j]);
    EXPECT_EQ(got[20 + j], x[j] + x[20 + j]);
    EXPECT_EQ(got[40 + j], x[j] + x[20 + j] + x[40 + j]);
  }
}

// Composition of x -> a x + b is associative but does not commute: elements are taken in ascending
// order. 1, 0 leaves every one as it is.
void composed(Out<int, 1> z, In1<int> factors, In1<int> summands, Int at) {
  auto [factor, summand] = reduce<0>(std::tuple{factors.tiles(5)(0), summands.tiles(5)(0)},
                                     std::tuple{1, 0}, [](auto first, auto second) {
                                       auto [a, b] = first;
                                       auto [c, d] = second;
                                       return std::tuple{a * c, b * c + d};
                                     });
  z.store(factor * at + summand);
}

TEST(ReductionTest, CombinesInAscendingOrder) {
  const auto got =
      to_host(launch<composed>(empty<int>(1).partition({1}), from_host<int>({2, 3, 5, 7, 10}),
                               from_host<int>({1, 1, 2, 3, 4}), 6)
                  .sync()
                  .join());
  // ((((6 * 2 + 1) * 3 + 1) * 5 + 2) * 7 + 3) * 10 + 4
  EXPECT_THAT(got, ElementsAre(14174));
}

void scaled_sum(Out<int, 1> z, In1<int> x, Int scale) {
  z.store(reduce<0>(x.tiles(5)(0), 0, [&](Int sum, Int each) { return sum + each * scale; }));
}

TEST(ReductionTest, CombinersUseScalarsFromOutside) {
  const auto got =
      to_host(launch<scaled_sum>(empty<int>(1).partition({1}), from_host<int>({1, 2, 3, 4, 5}), 10)
                  .sync()
                  .join());
  EXPECT_THAT(got, ElementsAre(150));
}

/// Loads the element named by 0, 1, 2, 3 and a fifth number together.
template <class F>
void named_by_five(In1<int> x, Out<int, 1> z, int fifth, F combined) {
  z.store(zeros<int>(1) + x.at(as<int>(item(reduce<0>(combined.of(iota(4)), fifth, combined)))));
}
struct Greatest {
  static auto of(const Tile<int, dyn>& x) { return x; }
  auto operator()(const Int& a, const Int& b) const { return max(a, b); }
};
struct Least {
  static auto of(const Tile<int, dyn>& x) { return x; }
  auto operator()(const Int& a, const Int& b) const { return min(a, b); }
};
struct LeastUnsigned {
  static auto of(const Tile<int, dyn>& x) { return as<std::uint32_t>(x); }
  auto operator()(const Scalar<std::uint32_t>& a, const Scalar<std::uint32_t>& b) const {
    return min(a, b);
  }
};

template <class F>
int element_named_by_five(int fifth, F combined) {
  return to_host(launch<named_by_five<F>>(from_host<int>({10, 11, 12, 13}),
                                          empty<int>(1).partition({1}), fifth, combined)
                     .sync()
                     .join())[0];
}

TEST(ReductionTest, AnIdentityThatIsNoneTakesPart) {
  EXPECT_EQ(element_named_by_five(-1, Greatest{}), 13);
  EXPECT_EQ(element_named_by_five(3, Greatest{}), 13);
  EXPECT_THROW(element_named_by_five(4, Greatest{}), DeviceFault);
  EXPECT_THROW(element_named_by_five(1 << 20, Greatest{}), DeviceFault);
  EXPECT_EQ(element_named_by_five(1 << 20, Least{}), 10);
  EXPECT_EQ(element_named_by_five(0, LeastUnsigned{}), 10);
  EXPECT_THROW(element_named_by_five(-1, Least{}), DeviceFault);
}

void all_of_true_and_another(Out<int, 1> z, bool another) {
  auto holds = item(reduce<0>(full<bool>(true, 4), another, [](auto a, auto b) { return a & b; }));
  check(holds, "all are true");
  z.store(zeros<int>(1));
}

TEST(ReductionTest, TruthValuesAreCombinedWithAnIdentityThatIsNone) {
  const auto run = [](bool another) {
    static_cast<void>(
        launch<all_of_true_and_another>(empty<int>(1).partition({1}), another).sync().join());
  };
  EXPECT_NO_THROW(run(true));
  EXPECT_THROW(run(false), DeviceFault);
}

/// The greatest element of each row and where it stands first.
void argmax(Out<float, dyn, 1> best, Out<int, dyn, 1> place, In2<float> x, int columns) {
  auto a = x.tiles(dim<0>(best), columns)(0, 0);
  auto column = broadcast_to(unsqueeze<0>(iota(columns)), dim<0>(best), columns);
  auto [value, index] =
      reduce<1>(std::tuple{a, column}, std::tuple{-INFINITY, -1}, [](auto old, auto next) {
        auto [old_value, old_index] = old;
        auto [next_value, next_index] = next;
        auto larger = next_value > old_value;
        return std::tuple{where(larger, next_value, old_value),
                          where(larger, next_index, old_index)};
      });
  best.store(value);
  place.store(index);
}

TEST(ReductionTest, ReducesTilesTogetherForArgmax) {
  for (const int columns : extents) {
    std::vector<float> x;
    for (const int each : numbers<int>(4 * columns)) x.push_back(static_cast<float>(each) - 100.f);
    auto [best, place] =
        launch<argmax>(empty<float>(4, 1).partition({all, 1}), empty<int>(4, 1).partition({all, 1}),
                       from_host<float>(x, 4, columns), columns)
            .sync()
            .join();
    for (std::size_t i = 0; i < 4; ++i) {
      std::size_t want = 0;
      for (std::size_t j = 1; j < static_cast<std::size_t>(columns); ++j) {
        if (x[i * static_cast<std::size_t>(columns) + j] >
            x[i * static_cast<std::size_t>(columns) + want]) {
          want = j;
        }
      }
      EXPECT_EQ(to_host(place)[i], static_cast<int>(want)) << columns;
      EXPECT_EQ(to_host(best)[i], x[i * static_cast<std::size_t>(columns) + want]) << columns;
    }
  }
}

/// Mean and variance by Welford's method: (count, mean, sum of squares) of two parts together.
void welford(Out<float, 1> mean, Out<float, 1> variance, In1<float> x, int n) {
  auto a = x.tiles(n)(0);
  auto ones = full(1.f, n);
  auto [count, average, squares] = reduce<0>(
      std::tuple{ones, a, zeros<float>(n)}, std::tuple{0.f, 0.f, 0.f}, [](auto left, auto right) {
        auto [n_left, mean_left, m_left] = left;
        auto [n_right, mean_right, m_right] = right;
        auto total = n_left + n_right;
        auto share = where(total > 0.f, n_right / total, 0.f);
        auto gap = mean_right - mean_left;
        return std::tuple{total, mean_left + gap * share,
                          m_left + m_right + gap * gap * n_left * share};
      });
  mean.store(average);
  variance.store(squares / count);
}

TEST(ReductionTest, ReducesTilesTogetherForWelford) {
  for (const int n : {3, 5, 20, 96}) {
    std::vector<float> x;
    for (int i = 0; i < n; ++i) x.push_back(0.25f * static_cast<float>((i * 13) % 29) + 7.f);
    double mean = 0;
    for (const float each : x) mean += static_cast<double>(each) / n;
    double variance = 0;
    for (const float each : x) {
      variance += (static_cast<double>(each) - mean) * (static_cast<double>(each) - mean) / n;
    }
    auto [got_mean, got_variance] =
        launch<welford>(empty<float>(1).partition({1}), empty<float>(1).partition({1}),
                        from_host<float>(x), n)
            .sync()
            .join();
    EXPECT_NEAR(to_host(got_mean)[0], mean, 1e-5);
    EXPECT_NEAR(to_host(got_variance)[0], variance, 1e-4);
  }
}

void scan_together(Out<float, dyn> best, Out<int, dyn> place, In1<float> x) {
  auto n = dim<0>(best);
  auto [value, index] =
      scan<0>(std::tuple{x.load_like(best), iota(n)}, std::tuple{-INFINITY, -1},
              [](auto old, auto next) {
                auto larger = std::get<0>(next) > std::get<0>(old);
                return std::tuple{where(larger, std::get<0>(next), std::get<0>(old)),
                                  where(larger, std::get<1>(next), std::get<1>(old))};
              },
              {.reverse = true});
  best.store(value);
  place.store(index);
}

TEST(ScanTest, ScansTilesTogether) {
  auto [best, place] =
      launch<scan_together>(empty<float>(5).partition({all}), empty<int>(5).partition({all}),
                            from_host<float>({3.f, 9.f, 1.f, 4.f, 2.f}))
          .sync()
          .join();
  EXPECT_THAT(to_host(best), ElementsAre(9.f, 9.f, 4.f, 4.f, 2.f));
  EXPECT_THAT(to_host(place), ElementsAre(1, 1, 3, 3, 4));
}

}  // namespace
}  // namespace tw::tests
