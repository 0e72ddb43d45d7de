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
  /// Adds "argument ... `text`", and places that explain it.
  void add(std::size_t parameter, const std::string& text,
           std::vector<Diagnostic::Note> notes = {});
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

/// Checks what launches of one form have in common: that every tensor is aligned, and that what the
/// launch writes has distinct elements.
void check_layouts(const LaunchState& launch, Problems& problems);
/// Checks the memory behind every tensor: that it lies on `device` and may still be used, that what
/// the launch writes may be written and is not used by another argument, and that shared memory
/// that is changed atomically is not all new. Notes of what is written which frozen parts it is
/// clear of.
void check_storages(LaunchState& launch, Device device, Problems& problems);

}  // namespace tw::inline v0::detail
