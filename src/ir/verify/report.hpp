// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/op.hpp>

#include "ir/verify/constraint_table.hpp"

namespace tw::inline v0::ir {

/// Collects what is found wrong in a module.
class Report {
 public:
  explicit Report(const Module& module) : module_(module) {}

  /// Adds "name: message" and returns false, so that a check can end with it.
  bool fail(Rule rule, LocationId where, const std::string& message);

  [[nodiscard]] std::vector<Diagnostic> take() && { return std::move(diagnostics_); }

 private:
  const Module& module_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace tw::inline v0::ir
