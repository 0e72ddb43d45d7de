// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilewright/core/export.hpp>
#include <tilewright/ir/kernel.hpp>
#include <tilewright/passes/canonical.hpp>
#include <tilewright/passes/obligations.hpp>

namespace tw::inline v0::passes {

struct Options {
  /// The launches to come satisfy the report's predicate.
  bool predicate_holds = false;
  /// Discharge nothing: every check runs on the device, for differential tests.
  bool keep_all_checks = false;
  /// Products that feed one sum are not rounded; changes results.
  bool fuse_multiply_add = false;
  Origins origins = Origins::keep;
};

/// A traced kernel, cleaned, with what is known of its checks.
struct Prepared {
  ir::Kernel kernel;
  ObligationReport report;
};

/// The first half, once a trace: folds, merges and sweeps, then analyses the checks. A refuted
/// obligation is in the report; nothing is thrown.
[[nodiscard]] TILEWRIGHT_API Prepared prepare(ir::Kernel kernel);

/// The second half, once for every kernel that is compiled: discharges checks, simplifies, appends
/// the fault parameters if checks or prints remain, orders memory accesses, and gives the canonical
/// form. What is left of the site table names the checks that are left.
[[nodiscard]] TILEWRIGHT_API ir::Kernel optimise(Prepared prepared, const Options& options = {});

}  // namespace tw::inline v0::passes
