// SPDX-License-Identifier: Apache-2.0
#include "ir/verify/report.hpp"

#include <fmt/format.h>

namespace tw::inline v0::ir {

bool Report::fail(Rule rule, LocationId where, const std::string& message) {
  diagnostics_.push_back(
      {fmt::format("{}: {} (rule: {})", rule.constraint().name, message, rule.constraint().text),
       module_.locations[where],
       {}});
  return false;
}

}  // namespace tw::inline v0::ir
