// SPDX-License-Identifier: Apache-2.0
#include "ir/verify/report.hpp"

#include <fmt/format.h>

namespace tw::inline v0::ir {

bool Report::fail(Rule rule, LocationId where, const std::string& message) {
  findings_.errors.push_back(diagnostic(rule, where, message));
  return false;
}

bool Report::warn(Rule rule, LocationId where, const std::string& message) {
  findings_.warnings.push_back(diagnostic(rule, where, message));
  return true;
}

Diagnostic Report::diagnostic(Rule rule, LocationId where, const std::string& message) const {
  const Constraint& constraint = rule.constraint();
  return {fmt::format("{}: {} (rule: {})", constraint.name, message, constraint.text),
          module_.locations[where],
          {}};
}

}  // namespace tw::inline v0::ir
