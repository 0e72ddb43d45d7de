// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/core/os_process.hpp>

namespace tw::inline v0::backend::tileiras {

/// One run of the assembler, with everything that went in and came out.
struct Attempt {
  std::vector<std::byte> bytecode;
  std::vector<std::string> command;  ///< in the folder of the run, which is gone
  os::Ending ending;
  std::vector<std::byte> cubin;  ///< empty unless it succeeded
  std::string remarks;           ///< as YAML

  [[nodiscard]] bool succeeded() const { return !cubin.empty(); }
};

/// Runs the assembler in a folder of its own, once there are processors for it. Throws
/// CompilerError when the module needs another version of bytecode than it reads, or when it cannot
/// be run at all.
Attempt attempt(const Assembler& assembler, const Assembly& assembly);

/// Leaves a folder behind in which the attempt can be repeated, and returns its path; empty when
/// there is no place for it.
std::string save_for_reproduction(const Attempt& attempt, const Assembly& assembly);

}  // namespace tw::inline v0::backend::tileiras
