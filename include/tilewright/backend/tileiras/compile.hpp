// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <tilewright/backend/backend.hpp>
#include <tilewright/backend/tileiras/assembler.hpp>
#include <tilewright/backend/tileiras/cubin.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/ir/kernel.hpp>
#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::backend::tileiras {

/// What one run of the assembler may take before it is stopped.
struct Limits {
  std::chrono::milliseconds time = std::chrono::seconds(120);
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
};

struct CompileOptions {
  std::int32_t optimization_level = 3;  ///< 0 to 3
  /// Line tables for profilers. The code then depends on where the kernel stands.
  bool line_info = false;
  Limits limits = {};
  /// What messages call the kernel; never part of the code.
  std::string kernel = {};
};

/// A kernel in the form that the assembler takes.
struct Assembly {
  /// Free of checks; the hints of the entry are those for the target.
  ir::Module module;
  Target target;
  CompileOptions options;
};

/// Brings a verified kernel that `passes::optimise` gave into the form for a target. Throws
/// CompilerError when the target cannot run it: an architecture or an element type that is not
/// supported there, or a print.
[[nodiscard]] TILEWRIGHT_API Assembly assembly_of(const ir::Kernel& kernel, const Target& target,
                                                  const CompileOptions& options = {});

/// The version of bytecode in which the module is given to assemblers: 13.3, or the lowest that
/// holds it.
[[nodiscard]] TILEWRIGHT_API ir::Version bytecode_version(const ir::Module& module);

/// Assembles. A crash of the assembler is worked around where that is possible, and reported to the
/// log sink. Throws CompilerError, at the user's lines where the assembler names one, when it
/// refuses the module or fails; a folder with what it takes to see the failure again is then left
/// behind, and named in the message. Thread-safe; the number of assemblers that run at once is
/// bounded by that of the processors.
[[nodiscard]] TILEWRIGHT_API Cubin assemble(const Assembler& assembler, const Assembly& assembly);

/// What will be slow or cannot work on the target, at the user's lines: tiles that do not fit,
/// products outside the tensor cores, loads that miss the TMA unit.
[[nodiscard]] TILEWRIGHT_API std::vector<Diagnostic> lint(const Assembly& assembly);

/// Sends what `lint` finds to the log sink.
TILEWRIGHT_API void report_lint(const Assembly& assembly);

/// Lints, and assembles with the assembler of this machine. Throws CompilerError, also when there
/// is none.
[[nodiscard]] TILEWRIGHT_API Cubin compile(const ir::Kernel& kernel, const Target& target,
                                           const CompileOptions& options = {},
                                           Location where = Location::current());

}  // namespace tw::inline v0::backend::tileiras
