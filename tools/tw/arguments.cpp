// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "error.hpp"

namespace tw::cli {

int whole_number(const std::string& name, double value) {
  if (value != std::trunc(value) || std::abs(value) > std::numeric_limits<int>::max()) {
    throw UsageError(fmt::format("{} must be a whole number of 32 bits, not {}", name, value));
  }
  return static_cast<int>(value);
}

int Arguments::count(const std::string& name) const {
  const int value = integer(name);
  if (value < 1) throw UsageError(fmt::format("{} must be at least one, not {}", name, value));
  return value;
}

}  // namespace tw::cli
