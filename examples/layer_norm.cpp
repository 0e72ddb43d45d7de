// SPDX-License-Identifier: Apache-2.0
// Normalises the rows of a layer's activations, which have drifted away from zero.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include <tilewright/tilewright.hpp>

#include "check.hpp"
#include "kernels/normalisation.hpp"

namespace {

constexpr std::size_t rows = 12;
constexpr std::size_t width = 768;
constexpr float eps = 1e-5f;

struct Statistics {
  double mean = 0;
  double deviation = 0;
};

Statistics statistics(const float* row) {
  Statistics result;
  for (std::size_t j = 0; j < width; ++j) result.mean += row[j] / double{width};
  for (std::size_t j = 0; j < width; ++j) {
    result.deviation += (row[j] - result.mean) * (row[j] - result.mean) / double{width};
  }
  result.deviation = std::sqrt(result.deviation);
  return result;
}

std::vector<double> normalise(const std::vector<float>& x, const std::vector<float>& weight,
                              const std::vector<float>& bias) {
  std::vector<double> y;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto [mean, deviation] = statistics(&x[i * width]);
    for (std::size_t j = 0; j < width; ++j) {
      const double unit =
          (x[i * width + j] - mean) / std::sqrt(deviation * deviation + double{eps});
      y.push_back(unit * weight[j] + bias[j]);
    }
  }
  return y;
}

void layer_norm() {
  const std::vector<float> activations = examples::normal_numbers(rows * width, 3, 2, 1);
  const std::vector<float> weight = examples::normal_numbers(width, 1, 0.1f, 2);
  const std::vector<float> bias = examples::normal_numbers(width, 0, 0.1f, 3);

  const auto x = tw::from_host<float>(activations, rows, width);
  const auto w = tw::from_host<float>(weight);
  const auto b = tw::from_host<float>(bias);
  // A block owns a whole row and streams it in tiles of 128 columns.
  auto [y, mean, rstd] = tw::launch<tw::kernels::layer_norm<float>>(
                             tw::empty<float>(rows, width).partition({1, tw::whole}),
                             tw::empty<float>(rows).partition({1}),
                             tw::empty<float>(rows).partition({1}), x, w, b, eps, 128)
                             .sync()
                             .join();
  const std::vector<float> normalised = tw::to_host(y);
  const std::vector<float> means = tw::to_host(mean);
  const std::vector<float> inverse_deviations = tw::to_host(rstd);

  for (std::size_t i = 0; i < 3; ++i) {
    const Statistics after = statistics(&normalised[i * width]);
    std::printf("row %zu: mean %6.3f, deviation %5.3f  ->  mean %6.3f, deviation %5.3f\n", i,
                means[i], 1 / inverse_deviations[i], after.mean, after.deviation);
  }
  examples::check(examples::largest_error(normalised, normalise(activations, weight, bias)) < 1e-4,
                  "the rows are normalised as by the formula");
}

}  // namespace

int main() { return examples::run(layer_norm); }
