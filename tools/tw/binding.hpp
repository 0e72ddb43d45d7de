// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "arguments.hpp"
#include "assignment.hpp"
#include "example.hpp"

namespace tw::cli {

/// An example's arguments, and the instantiation for their element type.
struct Bound {
  const Instantiation* instantiation;
  Arguments arguments;

  [[nodiscard]] AnyLaunch launch() const { return instantiation->launch(arguments); }
};

/// Inputs from .npy files, as `x=FILE`, and numbers. Throws UsageError when an input is missing, a
/// name is unknown, or a file has another type, rank or extent than the example's other inputs
/// allow; else what `read_npy` throws.
Bound bind_files(const NamedExample& example, const Assignments& given);

/// Inputs of zeros, for looking at code, with extents and numbers as given; of the default element
/// type unless one is named. Throws UsageError when a name or the type is unknown.
Bound bind_zeros(const NamedExample& example, std::optional<DType> dtype, const Assignments& given);

}  // namespace tw::cli
