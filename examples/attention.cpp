// SPDX-License-Identifier: Apache-2.0
// Causal attention of a small layer: four query heads share two key heads.
#include "kernels/attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "check.hpp"

namespace {

constexpr std::size_t heads = 4;
constexpr std::size_t key_heads = 2;
constexpr std::size_t tokens = 50;
constexpr std::size_t width = 32;
const float scale = 1 / std::sqrt(float{width});

struct Layer {
  std::vector<float> q = examples::normal_numbers(heads * tokens * width, 0, 1, 1);
  std::vector<float> k = examples::normal_numbers(key_heads * tokens * width, 0, 1, 2);
  std::vector<float> v = examples::normal_numbers(key_heads * tokens * width, 0, 1, 3);
};

/// The attention of one token of one head, by the formula.
void attend(const Layer& layer, std::size_t head, std::size_t token, double* out) {
  const float* query = &layer.q[(head * tokens + token) * width];
  const std::size_t first_key = head / (heads / key_heads) * tokens * width;
  std::vector<double> weight(token + 1);
  double total = 0;
  for (std::size_t j = 0; j <= token; ++j) {
    double score = 0;
    for (std::size_t d = 0; d < width; ++d) {
      score += double{query[d]} * layer.k[first_key + j * width + d];
    }
    total += weight[j] = std::exp(score * scale);
  }
  for (std::size_t j = 0; j <= token; ++j) {
    for (std::size_t d = 0; d < width; ++d) {
      out[d] += weight[j] / total * layer.v[first_key + j * width + d];
    }
  }
}

std::vector<double> attend(const Layer& layer) {
  std::vector<double> out(heads * tokens * width);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < tokens; ++i) attend(layer, h, i, &out[(h * tokens + i) * width]);
  }
  return out;
}

void attention() {
  const Layer layer;
  const auto q = tw::from_host<float>(layer.q, 1, heads, tokens, width);
  const auto k = tw::from_host<float>(layer.k, 1, key_heads, tokens, width);
  const auto v = tw::from_host<float>(layer.v, 1, key_heads, tokens, width);
  // A block holds 16 queries of one head and never all of their scores.
  const auto out =
      tw::launch<tw::kernels::attention<float>>(
          tw::empty<float>(1, heads, tokens, width).partition({1, 1, 16, tw::all}), std::nullopt, q,
          k, v, std::nullopt, scale, tw::kernels::AttentionPlan{.bn = 16, .causal = true})
          .sync()
          .join();
  const std::vector<float> result = tw::to_host(out);

  // The first token sees itself only.
  examples::check(std::equal(result.begin(), result.begin() + width, layer.v.begin()),
                  "the first token's result is its own value");
  const double error = examples::largest_error(result, attend(layer));
  std::printf("%zu heads, %zu tokens of width %zu: largest error %.1e\n", heads, tokens, width,
              error);
  examples::check(error < 1e-5, "the result is that of the formula");
}

}  // namespace

int main() { return examples::run(attention); }
