// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/tilewright.hpp>

/// What the kernel tests compare with: plain loops in double over inputs that have already been
/// rounded to the element type under test.
namespace tw::tests {

using Doubles = std::vector<double>;

inline std::int64_t count_of(const std::vector<std::int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

/// Unit roundoff of an element type: half the distance of neighbours, relative to them.
template <class T>
constexpr double unit_roundoff() {
  return std::ldexp(1.0, -info(element_kind(dtype_of<T>)).format.precision);
}

template <class T>
T element_of(double value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(value);
  } else {
    return T(value);
  }
}
template <class T>
double number_of(T value) {
  return static_cast<double>(value);
}

/// Reproducible random numbers that are elements of T.
template <class T>
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Doubles uniform(std::int64_t count, double low = -1, double high = 1) {
    std::uniform_real_distribution<double> distribution(low, high);
    Doubles numbers(static_cast<std::size_t>(count));
    for (double& number : numbers) {
      number = number_of(element_of<T>(distribution(engine_)));
    }
    return numbers;
  }
  std::int64_t below(std::int64_t bound) {
    return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(engine_);
  }

 private:
  std::mt19937 engine_;
};

template <class T, class... N>
auto upload(const Doubles& numbers, N... extents) {
  std::vector<T> elements;
  for (const double number : numbers) elements.push_back(element_of<T>(number));
  return from_host<T>(elements, extents...);
}

template <class X>
Doubles download(const X& tensor) {
  Doubles numbers;
  for (const auto element : to_host(tensor)) numbers.push_back(number_of(element));
  return numbers;
}

/// Every element within `relative` of the reference and `absolute` beside.
inline void expect_close(const Doubles& got, const Doubles& want, double relative, double absolute,
                         const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double error = std::abs(got[i] - want[i]);
    ASSERT_LE(error, absolute + relative * std::abs(want[i]))
        << what << ": element " << i << " is " << got[i] << ", not " << want[i];
  }
}

/// Element types with arithmetic of their own.
using FloatTypes = ::testing::Types<float, half, bf16>;

}  // namespace tw::tests
