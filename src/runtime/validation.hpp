// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/launch_state.hpp>

namespace tw::inline v0::detail {

/// The problems of one launch, all of them at the place where it was run.
class Problems {
 public:
  Problems(const LaunchState& launch, Location where);

  [[nodiscard]] bool empty() const noexcept { return diagnostics_.empty(); }
  /// Adds "argument ... `text`".
  void add(std::size_t parameter, const std::string& text);
  /// Adds a problem of the whole launch.
  void add(const std::string& text);
  [[nodiscard]] std::string argument(std::size_t parameter) const;
  /// Throws LaunchError when there is a problem.
  void raise() const;

 private:
  const LaunchState& launch_;
  Location where_;
  std::vector<Diagnostic> diagnostics_;
};

/// Checks the memory of every argument: that it lies on `device` and is aligned, that what the
/// launch writes has distinct elements, may be written and is not used by another argument, and
/// that shared memory that is changed atomically has been written before.
void check_memory(const LaunchState& launch, Device device, Problems& problems);

}  // namespace tw::inline v0::detail
