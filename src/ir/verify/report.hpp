// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <tilewright/core/error.hpp>
#include <tilewright/ir/op.hpp>
#include <tilewright/ir/verifier.hpp>

#include "ir/verify/constraint_table.hpp"

namespace tw::inline v0::ir {

/// Collects what is found wrong in a module, and what has no effect.
class Report {
 public:
  explicit Report(const Module& module) : module_(module) {}

  /// Adds "name: message" and returns false, so that a check can end with it.
  bool fail(Rule rule, LocationId where, const std::string& message);

  /// Adds it to what is only warned of and returns true.
  bool warn(Rule rule, LocationId where, const std::string& message);

  [[nodiscard]] Findings take() && { return std::move(findings_); }

 private:
  [[nodiscard]] Diagnostic diagnostic(Rule rule, LocationId where,
                                      const std::string& message) const;

  const Module& module_;
  Findings findings_;
};

}  // namespace tw::inline v0::ir
