// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tilewright/ir/op.hpp>
#include <tilewright/ir/op_table.hpp>
#include <tilewright/ir/parser.hpp>

namespace tw::cli {

/// A module, with the version of the bytecode or the names of the text that it came in.
struct ModuleFile {
  ir::Module module;
  std::optional<ir::Version> version = std::nullopt;
  ir::NameTable names = {};
};

/// The module in a file, `-` for standard input, of bytecode or text: bytecode begins with its
/// magic bytes. Throws what the reader or parser throws, and std::runtime_error for a file that
/// cannot be read. Ops of a text that have no place get `place`.
ModuleFile load_file(const std::string& file, ir::DefaultPlace place = ir::DefaultPlace::unknown);
/// The same without the version.
ir::Module load_module(const std::string& file, ir::DefaultPlace place = ir::DefaultPlace::unknown);

/// Writes to a file, `-` for standard output. Throws std::runtime_error when that fails.
void save_bytes(const std::string& file, std::span<const std::byte> bytes);

/// The versions of Tile IR, such as "13.3", oldest first.
std::vector<std::string> version_names();
/// The version that one of these names.
ir::Version version_named(const std::string& name);

}  // namespace tw::cli
