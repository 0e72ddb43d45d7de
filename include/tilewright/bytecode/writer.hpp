// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/ir/op.hpp>
#include <tilewright/ir/op_table.hpp>

namespace tw::inline v0::bytecode {

/// The versions of CUDA Tile IR bytecode that are read and written, oldest first.
TILEWRIGHT_API std::span<const ir::Version> versions();

/// The oldest version that can hold the module. Throws CompilerError for ops that are not part of
/// Tile IR.
TILEWRIGHT_API ir::Version lowest_version(const ir::Module& module);

struct WriteOptions {
  /// One of `versions()`; the lowest that can hold the module if absent.
  std::optional<ir::Version> version = std::nullopt;
  /// Whether source places are written.
  bool debug_info = true;
};

/// The module as CUDA Tile IR bytecode. Tables are numbered and sections ordered as NVIDIA's own
/// writer does, so that equal modules give equal bytes. The module's name and its sites are not
/// part of the format. Ops must match their rows of the op table; nothing else needs to hold.
///
/// Throws CompilerError when the version is none of `versions()` or cannot hold the module, naming
/// what does not fit, and for the ops that are not part of Tile IR.
TILEWRIGHT_API std::vector<std::byte> write(const ir::Module& module,
                                            const WriteOptions& options = {});

}  // namespace tw::inline v0::bytecode
