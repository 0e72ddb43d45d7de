// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tilewright/backend/tileiras/compile.hpp>

namespace tw::inline v0::backend::tileiras {

/// A way to give a module to the assembler that may get around a crash. It never changes results.
struct Workaround {
  const char* name;  ///< "without the hints of the kernel"
  /// The assembly to try next; nothing when this way does not differ from the last one.
  std::optional<Assembly> (*apply)(const Assembly& assembly);
};

/// In the order in which they are tried, each on top of those before it.
std::span<const Workaround> workarounds();

}  // namespace tw::inline v0::backend::tileiras
