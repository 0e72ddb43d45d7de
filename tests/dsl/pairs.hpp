// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace tw::tests {

/// All pairs of some numbers, as two vectors.
template <class T>
class PairsTest : public testing::Test {
 protected:
  explicit PairsTest(const std::vector<T>& numbers) {
    for (const T a : numbers) {
      for (const T b : numbers) {
        left_.push_back(a);
        right_.push_back(b);
      }
    }
  }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(left_.size()); }

  std::vector<T> left_;
  std::vector<T> right_;
};

}  // namespace tw::tests
