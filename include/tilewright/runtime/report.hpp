// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/dsl/specialisation.hpp>
#include <tilewright/runtime/launch.hpp>

namespace tw::inline v0 {

/// Who sees to the checks of a kernel.
struct CheckCounts {
  std::size_t folded = 0;     ///< proved when the kernel was recorded
  std::size_t at_launch = 0;  ///< decided by the arguments of each launch
  std::size_t on_device = 0;  ///< left in the code for every launch
};

/// What is known of one specialisation of a kernel.
struct SpecialisationReport {
  Specialisation facts;
  CheckCounts checks;
  std::size_t code_bytes = 0;  ///< of all code compiled for it so far
};

struct KernelReport {
  std::string name;
  /// In the order of their first launches.
  std::vector<SpecialisationReport> specialisations;
};

namespace detail {
[[nodiscard]] TILEWRIGHT_API KernelReport report_of(const KernelInfo& kernel);
}

/// What the launches of a kernel have made of it so far.
template <auto Fn>
[[nodiscard]] KernelReport kernel_report() {
  return detail::report_of(detail::kernel_info<Fn>);
}

}  // namespace tw::inline v0
