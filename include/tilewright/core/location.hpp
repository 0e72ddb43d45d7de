// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>

namespace tw::inline v0 {

/// A place in the user's source. Every public entity that can fail takes one as a defaulted
/// argument.
///
/// Because the type lives in `std`, a call such as `min(a, b, where)` inside the library would find
/// `std::min` by argument-dependent lookup: qualify such calls (`tw::min`).
using Location = std::source_location;

}  // namespace tw::inline v0
