// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding in place: afterwards the score of a query and a key depends on how far
// apart they are, not on where.
#include "kernels/rope.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "check.hpp"

namespace {

constexpr std::size_t heads = 4;
constexpr std::size_t key_heads = 2;
constexpr std::size_t tokens = 40;
constexpr std::size_t half = 32;
constexpr std::size_t width = 2 * half;

/// The angle that pair `i` turns by at `token`.
double angle(std::size_t token, std::size_t i) {
  return static_cast<double>(token) *
         std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(half));
}

std::vector<float> table(double (*function)(double)) {
  std::vector<float> result;
  for (std::size_t t = 0; t < tokens; ++t) {
    for (std::size_t i = 0; i < half; ++i) {
      result.push_back(static_cast<float>(function(angle(t, i))));
    }
  }
  return result;
}

/// The same vector at all tokens of all heads.
std::vector<float> everywhere(const std::vector<float>& vector, std::size_t copies) {
  std::vector<float> result;
  for (std::size_t i = 0; i < copies; ++i) {
    result.insert(result.end(), vector.begin(), vector.end());
  }
  return result;
}

double dot(const float* a, const float* b) {
  double sum = 0;
  for (std::size_t d = 0; d < width; ++d) sum += double{a[d]} * b[d];
  return sum;
}

void rope() {
  const std::vector<float> query = examples::normal_numbers(width, 0, 1, 1);
  const std::vector<float> key = examples::normal_numbers(width, 0, 1, 2);
  auto q = tw::from_host<float>(everywhere(query, heads * tokens), 1, heads, tokens, width);
  auto k = tw::from_host<float>(everywhere(key, key_heads * tokens), 1, key_heads, tokens, width);
  const auto cosines = tw::from_host<float>(table(std::cos), 1, tokens, half);
  const auto sines = tw::from_host<float>(table(std::sin), 1, tokens, half);

  // `mut` lends the tensors to the launch, which turns them where they are.
  tw::launch<tw::kernels::rope<float>>(mut(q).partition({1, tw::all, 1, tw::whole}),
                                       mut(k).partition({1, tw::all, 1, tw::whole}), cosines, sines,
                                       int{half})
      .sync();

  const std::vector<float> queries = tw::to_host(q);
  const std::vector<float> keys = tw::to_host(k);
  const auto score = [&](std::size_t i, std::size_t j) {
    return dot(&queries[i * width], &keys[j * width]);
  };
  examples::check(std::abs(score(0, 0) - dot(query.data(), key.data())) < 1e-5,
                  "position 0 does not turn");
  for (const std::size_t distance : {0u, 1u, 7u}) {
    std::printf("score at distance %zu:", distance);
    for (const std::size_t j : {0u, 5u, 21u, 32u}) {
      std::printf(" %9.5f", score(j + distance, j));
      examples::check(std::abs(score(j + distance, j) - score(distance, 0)) < 1e-4,
                      "the score depends on the distance only");
    }
    std::printf("\n");
  }
  examples::check(std::abs(score(1, 0) - score(0, 0)) > 1e-3, "the score depends on the distance");
}

}  // namespace

int main() { return examples::run(rope); }
