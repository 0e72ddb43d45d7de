// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/ir/op_table.hpp>

/// NVIDIA's assembler of Tile IR, an external program.
namespace tw::inline v0::backend::tileiras {

/// 13.5.37
struct ToolVersion {
  std::int32_t major_number = 0;
  std::int32_t minor_number = 0;
  std::int32_t patch_number = 0;
  auto operator<=>(const ToolVersion&) const = default;
};
[[nodiscard]] TILEWRIGHT_API std::string to_string(const ToolVersion& version);

/// An assembler of this machine.
struct Assembler {
  std::string path;
  ToolVersion version;
  std::vector<ir::Version> bytecode;  ///< the versions that it reads, oldest first; never empty
};

/// A place where an assembler was looked for.
struct Candidate {
  std::string source;   ///< "TILEWRIGHT_TILEIRAS", "PATH"
  std::string path;     ///< what was tried there
  std::string problem;  ///< why it does not serve; empty for the one that does
};

struct Search {
  std::optional<Assembler> assembler;
  std::vector<Candidate>
      candidates;  ///< in the order of the search, which ends at the first to serve
};

/// Looks for the assembler where TILEWRIGHT_TILEIRAS says, and nowhere else if it says anything;
/// then in the Python environment of $VIRTUAL_ENV, of a Python in this process and of the first
/// python3 on PATH; then on PATH and in /usr/local/cuda*. Programs are asked for their versions
/// once a process, as long as the file stays the same. Thread-safe.
[[nodiscard]] TILEWRIGHT_API Search find();

/// The assembler that is found. Throws CompilerError, which says what to install, when there is
/// none.
[[nodiscard]] TILEWRIGHT_API Assembler require(Location where = Location::current());

}  // namespace tw::inline v0::backend::tileiras
