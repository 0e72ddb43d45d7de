// SPDX-License-Identifier: Apache-2.0
// Kernels whose results go to places that the data knows: histograms and mixtures of experts.
#include <algorithm>

#include "kernels/histogram.hpp"
#include "kernels/moe.hpp"
#include "reference.hpp"

namespace tw::tests {
namespace {

TEST(HistogramTest, CountsEveryNumber) {
  Random<float> random(41);
  for (const std::int64_t n :
       {0, 1, 2, 3, 5, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 100, 127, 128, 500, 1000}) {
    std::vector<int> numbers;
    std::vector<int> want(10, 0);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto number = static_cast<int>(random.below(11)) - 1;
      numbers.push_back(number);
      if (number >= 0) ++want[static_cast<std::size_t>(number)];
    }
    auto bins = zeroed<int>(10);
    launch<kernels::histogram>(grid((n + 15) / 16), mut(bins), from_host<int>(numbers, n), 16)
        .sync();
    EXPECT_EQ(to_host(bins), want) << n;
  }
}

/// Tokens and their experts, aligned on the host: what the kernels must find.
struct Routing {
  int tokens, top_k, experts, block, chunk;
  std::vector<int> ids;  ///< expert of each choice
  std::vector<int>
      sorted;  ///< choices by expert, padded to blocks; the number of choices means none
  std::vector<int> expert;  ///< of each block in use
  std::vector<int> start;   ///< first row of each expert, and the number of rows in use

  [[nodiscard]] int choices() const { return tokens * top_k; }
  [[nodiscard]] int blocks() const {
    return (choices() + experts * (block - 1) + block - 1) / block;
  }
};

Routing route(int tokens, int top_k, int experts, int block, int chunk, unsigned seed) {
  Routing routing{tokens, top_k, experts, block, chunk, {}, {}, {}, {}};
  std::mt19937 engine(seed);
  for (int t = 0; t < tokens; ++t) {
    std::vector<int> order(static_cast<std::size_t>(experts));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), engine);
    routing.ids.insert(routing.ids.end(), order.begin(), order.begin() + top_k);
  }
  routing.sorted.assign(static_cast<std::size_t>(routing.blocks() * block), routing.choices());
  routing.start.push_back(0);
  for (int e = 0; e < experts; ++e) {
    int row = routing.start.back();
    for (int i = 0; i < routing.choices(); ++i) {
      if (routing.ids[static_cast<std::size_t>(i)] == e)
        routing.sorted[static_cast<std::size_t>(row++)] = i;
    }
    routing.start.push_back((row + block - 1) / block * block);
    while (static_cast<int>(routing.expert.size()) * block < routing.start.back())
      routing.expert.push_back(e);
  }
  return routing;
}

/// What the alignment kernels compute, on tensors.
struct Aligned {
  Tensor<int, 1> sorted;
  Tensor<int, 1> expert;
  Tensor<int, 1> total;
};

Aligned align(const Routing& r, bool by_search) {
  const kernels::AlignPlan plan{r.chunk, r.experts, r.block};
  const auto ids = from_host<int>(r.ids, r.choices());
  const int chunks = (r.choices() + r.chunk - 1) / r.chunk;
  const auto counts =
      launch<kernels::moe_count>(empty<int>(chunks, r.experts).partition({1, all}), ids, plan)
          .sync()
          .join();
  auto [pb, pt] = launch<kernels::moe_prefix>(empty<int>(chunks, r.experts).partition({all, 1}),
                                              empty<int>(r.experts).partition({1}), counts)
                      .sync();
  const auto before = std::move(pb).join();
  const auto totals = std::move(pt).join();
  auto [ps, ptotal, pmost] =
      launch<kernels::moe_layout>(empty<int>(r.experts + 1).partition({whole}),
                                  empty<int>(1).partition({1}), empty<int>(1).partition({1}),
                                  totals, plan)
          .sync();
  const auto start = std::move(ps).join();
  auto total = std::move(ptotal).join();
  EXPECT_EQ(to_host(start), r.start);
  if (by_search) {
    auto [psorted, pexpert] =
        launch<kernels::moe_fill>(empty<int>(r.blocks() * r.block).partition({r.block}),
                                  empty<int>(r.blocks()).partition({1}), ids, before, start, total,
                                  kernels::FillPlan{r.chunk, chunks, r.experts})
            .sync();
    return {std::move(psorted).join(), std::move(pexpert).join(), std::move(total)};
  }
  auto sorted = filled<int>(r.choices(), r.blocks() * r.block);
  launch<kernels::moe_place>(grid(chunks), mut(sorted), ids, before, start, plan).sync();
  auto expert = launch<kernels::moe_experts>(empty<int>(r.blocks()).partition({1}), start, plan)
                    .sync()
                    .join();
  return {std::move(sorted), std::move(expert), std::move(total)};
}

const std::vector<Routing>& routings() {
  static const std::vector<Routing> all = {
      route(1, 1, 1, 4, 8, 1),     route(3, 1, 2, 4, 8, 2),     route(5, 2, 3, 8, 16, 3),
      route(37, 3, 5, 8, 16, 4),   route(16, 2, 4, 4, 8, 5),    route(20, 1, 7, 4, 32, 6),
      route(9, 4, 4, 2, 4, 7),     route(64, 2, 8, 16, 64, 8),  route(33, 2, 6, 8, 16, 9),
      route(2, 2, 2, 16, 16, 10),  route(4, 1, 3, 8, 8, 11),    route(7, 3, 3, 4, 16, 12),
      route(12, 2, 5, 2, 8, 13),   route(15, 1, 15, 4, 8, 14),  route(25, 5, 6, 8, 32, 15),
      route(31, 2, 3, 32, 16, 16), route(40, 1, 2, 16, 64, 17), route(11, 4, 8, 8, 16, 18),
      route(50, 3, 4, 4, 32, 19),  route(6, 6, 6, 2, 4, 20)};
  return all;
}

TEST(MoeAlignTest, BothWaysFindTheSameOrder) {
  for (const Routing& r : routings()) {
    for (const bool by_search : {false, true}) {
      const Aligned aligned = align(r, by_search);
      EXPECT_EQ(to_host(aligned.sorted), r.sorted);
      std::vector<int> expert = to_host(aligned.expert);
      expert.resize(r.expert.size());
      EXPECT_EQ(expert, r.expert);
      EXPECT_EQ(to_host(aligned.total), std::vector<int>{r.start.back()});
    }
  }
}

template <class T>
class FusedMoeTest : public ::testing::Test {};
TYPED_TEST_SUITE(FusedMoeTest, FloatTypes);

TYPED_TEST(FusedMoeTest, MultipliesEachTokenByItsExperts) {
  using T = TypeParam;
  Random<T> random(42);
  for (const Routing& r : routings()) {
    constexpr int k = 20;
    constexpr int n = 26;
    const Doubles a = random.uniform(r.tokens * k);
    const Doubles w = random.uniform(r.experts * k * n);
    const Doubles router = Random<float>(43).uniform(r.choices());
    Doubles want;
    Doubles weighted;
    for (int i = 0; i < r.choices(); ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int x = 0; x < k; ++x) {
          sum += a[static_cast<std::size_t>(i / r.top_k * k + x)] *
                 w[static_cast<std::size_t>((r.ids[static_cast<std::size_t>(i)] * k + x) * n + j)];
        }
        want.push_back(sum);
        weighted.push_back(sum * router[static_cast<std::size_t>(i)]);
      }
    }
    const Aligned aligned = align(r, false);
    const auto ta = upload<T>(a, r.tokens, k);
    const auto tw_ = upload<T>(w, r.experts, k, n);
    const auto trouter = upload<float>(router, r.choices());
    const kernels::MoePlan plan{.bk = 8, .top_k = r.top_k};
    const double bound = unit_roundoff<T>() + 30 * unit_roundoff<float>();
    auto out = [&] { return empty<T>(r.choices(), n); };
    const auto listed =
        launch<kernels::fused_moe<T>>(out().partition(aligned.sorted, {r.block, 16}), ta, tw_,
                                      aligned.expert, aligned.total, trouter, plan)
            .sync()
            .join();
    expect_close(download(listed), weighted, bound, 20 * bound, "plain list");
    auto certificate = distinct(aligned.sorted, r.choices()).sync();
    const auto certified =
        launch<kernels::fused_moe<T>>(out().partition(certificate, {r.block, 16}), ta, tw_,
                                      aligned.expert, aligned.total, std::nullopt, plan)
            .hint({.blocks = 3, .swizzle = 4})
            .sync()
            .join();
    expect_close(download(certified), want, bound, 20 * bound, "certified list");
  }
}

}  // namespace
}  // namespace tw::tests
