// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tilewright/backend/tileiras/assembler.hpp>

namespace tw::inline v0::backend::tileiras {

/// The oldest assembler that serves: those before know neither sm_90 nor hints for every
/// architecture.
inline constexpr ToolVersion oldest_assembler{13, 3, 0};

/// What a program turned out to be: an assembler, or why it does not serve.
struct Probed {
  Assembler assembler;
  std::string problem;
};

/// Asks a program for its versions, once a process as long as the file stays the same.
Probed probe(const std::string& path);

/// The environment that the assembler and its probes run in. A variable that names another toolkit
/// would make it run that toolkit's ptxas, and fail without a reason.
std::vector<std::string> assembler_environment();

}  // namespace tw::inline v0::backend::tileiras
