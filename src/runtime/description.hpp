// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tilewright/runtime/argument.hpp>

namespace tw::inline v0::detail {

/// An argument in the words of an error: "argument 2 (In<float> of rank 1)". Positions count from
/// one.
std::string describe(const HostArgument& argument, std::size_t position);

}  // namespace tw::inline v0::detail
