// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tilewright/ir/kernel.hpp>

namespace tw::test {

/// What one block of a scalar integer kernel does that can be seen from outside.
struct Observation {
  std::vector<std::int64_t> stored;  ///< the values of all stores, in order
  struct Check {
    std::int64_t site;
    bool holds;
    bool operator==(const Check&) const = default;
  };
  std::vector<Check> checks;  ///< in order

  bool operator==(const Observation&) const = default;
};

/// Runs a kernel whose values are rank-0 integers (and pointers, which are not followed): division
/// by zero gives zero, its remainder the dividend, shift amounts count modulo the width.
Observation evaluate(const ir::Kernel& kernel, const std::vector<std::int64_t>& arguments,
                     const std::array<std::int64_t, 3>& block,
                     const std::array<std::int64_t, 3>& blocks);

}  // namespace tw::test
