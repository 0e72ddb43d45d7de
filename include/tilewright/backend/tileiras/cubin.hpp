// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tilewright/core/error.hpp>
#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>

namespace tw::inline v0::backend::tileiras {

/// What the code of a kernel takes of a multiprocessor, as its cubin states it.
struct Resources {
  std::uint32_t threads = 0;       ///< of one block, which the code fixes
  std::uint32_t registers = 0;     ///< of a thread
  std::uint32_t shared_bytes = 0;  ///< of a block
  std::uint32_t local_bytes = 0;   ///< of a thread, in memory: what did not fit into registers
  bool operator==(const Resources&) const = default;
};

/// One decision of the assembler that it tells about.
struct Remark {
  enum class Kind : std::uint8_t {
    passed,    ///< an instruction was chosen
    missed,    ///< something could be better
    failed,    ///< what was wanted could not be had, for `reasons`
    analysis,  ///< an observation
  };
  static constexpr std::uint32_t no_op = 0xffffffffu;

  Kind kind = Kind::analysis;
  std::string name;                  ///< "RemarkTensorCoreMMA"
  std::string text;                  ///< one sentence
  std::string instruction;           ///< "Tma load instruction"; empty unless one was chosen
  std::string shape;                 ///< "[64, 128, 16]"; empty unless the instruction has one
  std::vector<std::string> reasons;  ///< each once
  std::uint32_t op = no_op;          ///< of the assembled module, counted in the order of ir::walk
  CodePlace where;                   ///< the line of that op
};

/// Machine code for one architecture, to be loaded by the driver. The kernel that it was made from
/// has the tables of its arguments and sites: the same code can come from different source lines.
///
/// A launch has one thread a block in each direction and no dynamic shared memory: the code itself
/// says how many threads run.
struct Cubin {
  std::vector<std::byte> bytes;
  std::string entry;  ///< the symbol to launch
  Resources resources;
  std::vector<Remark> remarks;
};

/// All of a cubin but the lines of its remarks, as bytes for a cache.
[[nodiscard]] TILEWRIGHT_API std::vector<std::byte> to_bytes(const Cubin& cubin);

/// The cubin in bytes that `to_bytes` made, without lines. Throws CompilerError for other bytes.
[[nodiscard]] TILEWRIGHT_API Cubin cubin_from(std::span<const std::byte> bytes,
                                              Location where = Location::current());

}  // namespace tw::inline v0::backend::tileiras
