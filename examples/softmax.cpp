// SPDX-License-Identifier: Apache-2.0
// Turns the scores of a classifier into probabilities.
#include "kernels/softmax.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "check.hpp"

namespace {

constexpr std::array texts = {"the keeper saved it", "rain until Friday", "shares fell again"};
constexpr std::array labels = {"sport", "weather", "business", "music", "travel"};
// A row for each text; the last could as well be about sport.
const std::vector<float> scores = {4.1f,  -0.3f, 0.7f, 0.2f,  0.4f,  //
                                   -1.0f, 6.2f,  0.1f, -0.4f, 2.9f,  //
                                   2.3f,  0.0f,  2.9f, -2.0f, -0.1f};

std::vector<double> softmax_by_rows() {
  std::vector<double> result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    double total = 0;
    for (std::size_t j = 0; j < labels.size(); ++j)
      total += std::exp(scores[i * labels.size() + j]);
    for (std::size_t j = 0; j < labels.size(); ++j) {
      result.push_back(std::exp(scores[i * labels.size() + j]) / total);
    }
  }
  return result;
}

void softmax() {
  const auto x = tw::from_host<float>(scores, texts.size(), labels.size());
  // A block normalises two whole rows.
  const auto y = tw::launch<tw::kernels::softmax<float>>(
                     tw::empty<float>(texts.size(), labels.size()).partition({2, tw::all}), x)
                     .sync()
                     .join();
  const std::vector<float> probabilities = tw::to_host(y);

  examples::check(examples::largest_error(probabilities, softmax_by_rows()) < 1e-6,
                  "the probabilities are those of the formula");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const float* row = &probabilities[i * labels.size()];
    const float* best = std::max_element(row, row + labels.size());
    std::printf("%-20s %-9s %5.1f %%\n", texts[i], labels[static_cast<std::size_t>(best - row)],
                100.0 * *best);
  }
}

}  // namespace

int main() { return examples::run(softmax); }
