// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tilewright/core/dtype.hpp>

namespace tw::cli {

/// The right side of `NAME=VALUE` or `NAME:TYPE=VALUE`.
struct Assignment {
  std::optional<DType> dtype;
  std::string value;
};
/// By the names on the left side.
using Assignments = std::map<std::string, Assignment>;

/// Reads what a command line says. Throws UsageError when a text is no assignment, or a name has
/// two.
Assignments parse_assignments(const std::vector<std::string>& texts);

/// The number that an assignment says. Throws UsageError when it is none.
double number_of(const Assignments::value_type& assignment);

}  // namespace tw::cli
