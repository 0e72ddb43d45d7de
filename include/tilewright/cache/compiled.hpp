// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/cache/cache.hpp>
#include <tilewright/core/export.hpp>

namespace tw::inline v0::cache {

/// The key of a kernel's code in a bundle, where it is found also by machines without an assembler:
/// everything that decides about the code but the version of the assembler.
[[nodiscard]] TILEWRIGHT_API std::vector<std::byte> bundle_key(
    const backend::tileiras::Assembly& assembly);

/// The code of a kernel, as `backend::tileiras::compile` gives it: out of a bundle of the cache, or
/// kept from an earlier call or process, or assembled now. Sends the kernel's lint to the log sink.
/// Throws CompilerError; where there is neither kept code nor an assembler it says so.
[[nodiscard]] TILEWRIGHT_API backend::tileiras::Cubin compile_cached(
    Cache& cache, const ir::Kernel& kernel, const backend::Target& target,
    const backend::tileiras::CompileOptions& options = {}, Location where = Location::current());

}  // namespace tw::inline v0::cache
