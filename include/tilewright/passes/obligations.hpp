// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/ir/kernel.hpp>
#include <tilewright/passes/launch_predicate.hpp>

namespace tw::inline v0::passes {

/// Who sees to it that a check holds.
enum class Verdict : std::uint8_t {
  folded,   ///< proved for every launch
  refuted,  ///< fails whenever it is reached
  launch,   ///< decided by the values of a launch
  device,   ///< left in the code
  guard,    ///< left in the code, but what fails is not reported: see `ir::Site::silent`
};

struct Obligation {
  std::uint32_t site = 0;  ///< row of the module's site table
  Verdict verdict = Verdict::device;
};

/// What an analysis found out about every check of a kernel.
struct ObligationReport {
  /// In the order of the check ops, an op before its regions.
  std::vector<Obligation> obligations;
  /// One claim for each obligation of verdict `launch`, in their order.
  LaunchPredicate predicate;
  /// One for each refuted obligation, at the place of its check and in the order of the places.
  std::vector<Diagnostic> refuted;

  [[nodiscard]] TILEWRIGHT_API std::size_t count(Verdict verdict) const;
  /// The obligation behind a claim of the predicate.
  [[nodiscard]] TILEWRIGHT_API const Obligation& claimed(std::size_t claim) const;
};

/// Decides the checks of a kernel by ranges and divisibility: constants, loop bounds, clamps,
/// remainders, what `assume` promises, and, for the predicate, extents, scalars and the grid. What
/// an `if` implies for its branches is not followed. Works best after `fold` and `cse`.
///
/// A silent check is folded or a guard. A user's own check is never refuted.
[[nodiscard]] TILEWRIGHT_API ObligationReport analyse(const ir::Kernel& kernel);

/// The kernel without the checks that are folded and, if the launches to come satisfy the
/// predicate, without those decided by the launch: their conditions become true, and with them the
/// guards of the accesses. Silent checks leave their guards and go in any case. `report` must
/// come from `analyse` of this very kernel.
[[nodiscard]] TILEWRIGHT_API ir::Kernel assume_discharged(ir::Kernel kernel,
                                                          const ObligationReport& report,
                                                          bool predicate_holds);

/// The kernel with every check that can report a fault, for differential tests: only silent
/// ones go.
[[nodiscard]] TILEWRIGHT_API ir::Kernel keep_checks(ir::Kernel kernel);

}  // namespace tw::inline v0::passes
