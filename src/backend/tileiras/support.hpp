// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tilewright/backend/backend.hpp>
#include <tilewright/backend/tileiras/assembler.hpp>
#include <tilewright/ir/kernel.hpp>

namespace tw::inline v0::backend::tileiras {

/// Throws CompilerError, with a diagnostic for each kind of element, unless the architecture is one
/// that code is generated for and has all the kernel's elements.
void require_support(const ir::Kernel& kernel, const Target& target);

/// The oldest assembler that knows an architecture that code is generated for.
ToolVersion assembler_for(const Target& target);

/// Whether blocks of the architecture can work together in clusters.
bool has_clusters(const Target& target);

/// Whether the assembler dies of products whose factors are loaded as tf32 there.
bool dies_of_loaded_tf32(const Target& target);

}  // namespace tw::inline v0::backend::tileiras
