// SPDX-License-Identifier: Apache-2.0
// Quantisation, and the loss that overwrites its logits.
#include <limits>

#include "kernels/cross_entropy.hpp"
#include "kernels/quantise.hpp"
#include "reference.hpp"

namespace tw::tests {
namespace {

using Sizes = std::vector<std::pair<std::int64_t, std::int64_t>>;

constexpr std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

TEST(QuantiseTest, PacksBlocksOfCodesAndPermutesScales) {
  Random<float> random(61);
  // Whole tiles of 128 by 64, ragged ones, whose missing elements count as zeros, and none.
  for (const auto& [m, n] :
       Sizes{{128, 64}, {256, 64}, {128, 192}, {256, 128}, {1, 1},    {1, 64},   {128, 1},
             {0, 0},    {0, 64},   {128, 0},   {1, 2},     {2, 16},   {127, 63}, {129, 65},
             {31, 48},  {33, 33},  {64, 80},   {130, 20},  {100, 17}, {257, 30}, {3, 129}}) {
    const Doubles x = random.uniform(m * n, -5, 5);
    const std::int64_t bytes = divided_up(n, 2);
    const std::int64_t tiles = divided_up(n, 64);
    auto [packed, scales] = launch<kernels::quantise_blocks>(
                                empty<std::uint8_t>(m, bytes).partition({128, 32}),
                                empty<float>(divided_up(m, 128), tiles, 512).partition({1, 1, 512}),
                                upload<float>(x, m, n))
                                .sync();
    const std::vector<std::uint8_t> codes = to_host(std::move(packed).join());
    const std::vector<float> factors = to_host(std::move(scales).join());
    const auto element = [&](std::int64_t i, std::int64_t j) {
      return j < n ? static_cast<float>(x[static_cast<std::size_t>(i * n + j)]) : 0.f;
    };
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < 2 * bytes; ++j) {
        float largest = 0;
        for (std::int64_t d = 0; d < 16; ++d)
          largest = std::max(largest, std::abs(element(i, j / 16 * 16 + d)));
        const float scale = std::max(largest / 7.f, 1e-5f);
        const auto code = static_cast<unsigned>(element(i, j) / scale + 8.5f);
        const unsigned byte = codes[static_cast<std::size_t>(i * bytes + j / 2)];
        ASSERT_EQ(j % 2 == 0 ? byte & 15u : byte >> 4, code)
            << m << "x" << n << " at " << i << " " << j;
        // Rows r of a 128-row tile lie at (r % 32, r / 32, block of 16 columns).
        const std::int64_t r = i % 128;
        const std::int64_t at =
            ((i / 128) * tiles + j / 64) * 512 + (r % 32) * 16 + (r / 32) * 4 + j % 64 / 16;
        ASSERT_EQ(factors[static_cast<std::size_t>(at)], scale)
            << m << "x" << n << " at " << i << " " << j;
      }
    }
  }
}

template <class Q>
void expect_rows_quantised(double largest) {
  Random<half> random(62);
  for (const auto& [m, n] : Sizes{{1, 1},  {5, 7},  {8, 32}, {9, 33}, {3, 100}, {0, 5},   {1, 64},
                                  {64, 1}, {4, 16}, {2, 3},  {7, 31}, {16, 8},  {12, 12}, {1, 2},
                                  {3, 65}, {6, 17}, {31, 2}, {4, 40}, {2, 128}, {33, 9}}) {
    const Doubles x = random.uniform(m * n, -3, 3);
    auto [y, scales] = launch<kernels::quantise_rows<Q, half>>(
                           empty<Q>(m, n).partition({4, all}), empty<float>(m).partition({4}),
                           upload<half>(x, m, n), static_cast<float>(largest))
                           .sync();
    const Doubles codes = download(std::move(y).join());
    const Doubles factors = download(std::move(scales).join());
    for (std::int64_t i = 0; i < m; ++i) {
      float top = 0;
      for (std::int64_t j = 0; j < n; ++j)
        top = std::max(top, std::abs(static_cast<float>(x[static_cast<std::size_t>(i * n + j)])));
      const float scale = std::max(top / static_cast<float>(largest), 1e-12f);
      ASSERT_EQ(factors[static_cast<std::size_t>(i)], static_cast<double>(scale));
      for (std::int64_t j = 0; j < n; ++j) {
        const float scaled = static_cast<float>(x[static_cast<std::size_t>(i * n + j)]) / scale;
        ASSERT_EQ(codes[static_cast<std::size_t>(i * n + j)], static_cast<double>(Q(scaled)));
      }
    }
  }
}
TEST(QuantiseTest, ScalesRowsToFp8) {
  expect_rows_quantised<f8e4m3>(448);
  expect_rows_quantised<f8e5m2>(57344);
}

template <class T>
class CrossEntropyTest : public ::testing::Test {};
TYPED_TEST_SUITE(CrossEntropyTest, FloatTypes);

TYPED_TEST(CrossEntropyTest, GivesTheLossAndItsGradientInPlace) {
  using T = TypeParam;
  Random<T> random(63);
  for (const auto& [m, n] : Sizes{{1, 1},  {1, 2},  {3, 5},  {4, 16}, {5, 17}, {7, 40}, {2, 100},
                                  {0, 5},  {1, 16}, {1, 33}, {8, 3},  {2, 15}, {6, 31}, {3, 32},
                                  {9, 48}, {4, 1},  {5, 64}, {16, 7}, {3, 65}, {10, 10}}) {
    const Doubles x = random.uniform(m * n, -4, 4);
    std::vector<int> targets;
    Doubles losses;
    Doubles gradient;
    for (std::int64_t i = 0; i < m; ++i) {
      targets.push_back(i == 2 ? -1 : static_cast<int>(random.below(n)));
      double total = 0;
      for (std::int64_t j = 0; j < n; ++j)
        total += std::exp(x[static_cast<std::size_t>(i * n + j)]);
      const bool counted = targets.back() >= 0;
      losses.push_back(
          counted ? std::log(total) - x[static_cast<std::size_t>(i * n + targets.back())] : 0);
      for (std::int64_t j = 0; j < n; ++j) {
        const double p = std::exp(x[static_cast<std::size_t>(i * n + j)]) / total;
        gradient.push_back(counted ? (p - (j == targets.back() ? 1 : 0)) * 0.5 : 0);
      }
    }
    auto logits = upload<T>(x, m, n);
    const auto loss = launch<kernels::cross_entropy<T>>(mut(logits).partition({1, whole}),
                                                        empty<float>(m).partition({1}),
                                                        from_host<int>(targets, m), 0.5f, 16)
                          .sync()
                          .join();
    expect_close(download(loss), losses, 1e-5, 1e-5, "loss");
    expect_close(download(logits), gradient, unit_roundoff<T>() + 1e-5, 1e-6, "gradient");
  }
}

}  // namespace
}  // namespace tw::tests
