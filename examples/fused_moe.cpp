// SPDX-License-Identifier: Apache-2.0
// A mixture of experts: every token goes through two of eight matrices. Choices are sorted by
// expert on the device; the product is then written by that list of rows.
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "align_experts.hpp"
#include "check.hpp"
#include "kernels/moe.hpp"

namespace {

constexpr std::size_t tokens = 100;
constexpr std::size_t top_k = 2;
constexpr std::size_t choices = tokens * top_k;
constexpr std::size_t experts = 8;
constexpr std::size_t k = 48;
constexpr std::size_t n = 64;

/// Two different experts for each token, the first ones more popular.
std::vector<int> route() {
  std::mt19937 engine(1);
  std::geometric_distribution<int> distribution(0.3);
  std::vector<int> ids;
  while (ids.size() < choices) {
    const int expert = distribution(engine) % static_cast<int>(experts);
    if (ids.size() % top_k == 0 || ids.back() != expert) ids.push_back(expert);
  }
  return ids;
}

std::vector<double> multiply(const std::vector<float>& a, const std::vector<float>& w,
                             const std::vector<int>& ids, const std::vector<float>& weights) {
  std::vector<double> c(choices * n);
  for (std::size_t i = 0; i < choices; ++i) {
    const float* matrix = &w[static_cast<std::size_t>(ids[i]) * k * n];
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t x = 0; x < k; ++x) sum += double{a[i / top_k * k + x]} * matrix[x * n + j];
      c[i * n + j] = sum * weights[i];
    }
  }
  return c;
}

void fused_moe() {
  const std::vector<float> activations = examples::normal_numbers(tokens * k, 0, 1, 2);
  const std::vector<float> matrices = examples::normal_numbers(experts * k * n, 0, 0.2f, 3);
  const std::vector<float> weights = examples::normal_numbers(choices, 0.5f, 0.1f, 4);
  const std::vector<int> ids = route();

  constexpr int block = 16;
  const examples::AlignedRows rows =
      examples::align_experts(tw::from_host<int>(ids), {.experts = experts, .block = block});
  const auto a = tw::from_host<float>(activations, tokens, k);
  const auto w = tw::from_host<float>(matrices, experts, k, n);
  const auto weight = tw::from_host<float>(weights);
  // A block owns the rows of c that its part of the list names.
  const auto c =
      tw::launch<tw::kernels::fused_moe<float>>(
          tw::empty<float>(choices, n).partition(rows.sorted, {block, 32}), a, w, rows.expert,
          rows.total, weight, tw::kernels::MoePlan{.bk = 16, .top_k = top_k})
          .sync()
          .join();

  const int used = tw::to_host(rows.total)[0];
  std::printf("%zu tokens, %zu choices of %zu experts: %d rows in blocks of %d\n", tokens, choices,
              experts, used, block);
  const double error =
      examples::largest_error(tw::to_host(c), multiply(activations, matrices, ids, weights));
  std::printf("largest error %.1e\n", error);
  examples::check(error < 1e-5, "every choice is multiplied by its expert");
}

}  // namespace

int main() { return examples::run(fused_moe); }
