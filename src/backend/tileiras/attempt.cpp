// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/attempt.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tilewright/bytecode/writer.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/core/os_file.hpp>
#include <tilewright/ir/printer.hpp>

#include "backend/tileiras/diagnosis.hpp"
#include "backend/tileiras/probe.hpp"
#include "backend/tileiras/turns.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

constexpr const char* bytecode_name = "kernel.tilebc";
constexpr const char* cubin_name = "kernel.cubin";
constexpr const char* remarks_name = "remarks.yaml";

std::vector<std::byte> bytecode_for(const Assembler& assembler, const Assembly& assembly) {
  const ir::Version version =
      std::min(bytecode_version(assembly.module), assembler.bytecode.back());
  try {
    return bytecode::write(assembly.module, {.version = version});
  } catch (const CompilerError& error) {
    std::vector<Diagnostic> problems = error.diagnostics();
    problems.front().message += fmt::format("; the assembler is tileiras {}, a later one is needed",
                                            to_string(assembler.version));
    throw CompilerError(std::move(problems));
  }
}

/// Files are named as they are in the folder of the run, so that the command also works elsewhere.
std::vector<std::string> command_line(const Assembler& assembler, const Assembly& assembly) {
  std::vector<std::string> words = {assembler.path,
                                    bytecode_name,
                                    "-o",
                                    cubin_name,
                                    fmt::format("--gpu-name=sm_{}", assembly.target.sm),
                                    fmt::format("-O{}", assembly.options.optimization_level),
                                    "--remarks=all",
                                    "--remark-format=yaml",
                                    fmt::format("--remarks-output-file={}", remarks_name)};
  if (assembly.options.line_info) words.emplace_back("--lineinfo");
  return words;
}

std::vector<std::string> environment_in(const os::TemporaryFolder& folder) {
  std::vector<std::string> result = assembler_environment();
  std::erase_if(result, [](const std::string& each) { return each.starts_with("TMPDIR="); });
  result.push_back("TMPDIR=" + folder.path());
  return result;
}

std::string text_of(const std::optional<std::vector<std::byte>>& bytes) {
  if (!bytes) return {};
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

/// Whether the assembler finished; where another part of the process took its status, the cubin
/// tells.
bool finished(const os::Ending& ending) {
  return ending.kind == os::Ending::Kind::unknown ||
         (ending.kind == os::Ending::Kind::exited && ending.code == 0);
}

void write_text(const std::string& path, const std::string& text) {
  os::write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace

ir::Version bytecode_version(const ir::Module& module) {
  constexpr ir::Version preferred{13, 3};
  return std::max(preferred, bytecode::lowest_version(module));
}

Attempt attempt(const Assembler& assembler, const Assembly& assembly) {
  Attempt result;
  result.bytecode = bytecode_for(assembler, assembly);
  try {
    const Turn turn;
    const os::TemporaryFolder folder("tilewright-");
    os::write_file(folder / bytecode_name, result.bytecode);
    result.command = command_line(assembler, assembly);
    result.ending = os::run({result.command, environment_in(folder), folder.path()},
                            {.time = assembly.options.limits.time,
                             .memory_bytes = assembly.options.limits.memory_bytes});
    if (finished(result.ending)) {
      result.cubin = os::read_file(folder / cubin_name).value_or(std::vector<std::byte>());
      result.remarks = text_of(os::read_file(folder / remarks_name));
    }
  } catch (const std::system_error& error) {
    throw CompilerError({{fmt::format("tileiras cannot be run: {}", error.what()),
                          place_of_kernel(assembly.module),
                          {}}});
  }
  return result;
}

std::string save_for_reproduction(const Attempt& attempt, const Assembly& assembly) {
  try {
    os::TemporaryFolder folder("tilewright-failure-");
    os::write_file(folder / bytecode_name, attempt.bytecode);
    write_text(folder / "kernel.tileir", ir::print(assembly.module));
    write_text(folder / "command.txt", fmt::format("{}\n", fmt::join(attempt.command, " ")));
    write_text(folder / "output.txt",
               fmt::format("{}\n{}\n", attempt.ending.output, to_string(attempt.ending)));
    folder.keep();
    return folder.path();
  } catch (const std::system_error&) {
    return {};
  }
}

}  // namespace tw::inline v0::backend::tileiras
