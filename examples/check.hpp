// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

/// What the examples share: they compare their results with plain loops and say so when they are
/// wrong.
namespace examples {

/// Throws unless `claim` holds.
inline void check(bool holds, const std::string& claim) {
  if (!holds) throw std::runtime_error("this should hold, but does not: " + claim);
}

/// The largest difference of two vectors of the same length.
inline double largest_error(const std::vector<float>& got, const std::vector<double>& want) {
  check(got.size() == want.size(), "there are as many results as expected");
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    // Also finds NaN, which no comparison does.
    if (const double error = std::abs(got[i] - want[i]); !(error <= largest)) largest = error;
  }
  return largest;
}

/// Reproducible numbers of a normal distribution.
inline std::vector<float> normal_numbers(std::size_t count, float mean, float deviation,
                                         unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> distribution(mean, deviation);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = distribution(engine);
  return numbers;
}

/// The exit status of an example: 1, with a message, if it throws.
inline int run(void (*example)()) {
  try {
    example();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace examples
