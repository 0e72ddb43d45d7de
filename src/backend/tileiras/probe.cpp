// SPDX-License-Identifier: Apache-2.0
#include "backend/tileiras/probe.hpp"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tilewright/core/os.hpp>
#include <tilewright/core/os_process.hpp>

#include "backend/tileiras/version_text.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

namespace fs = std::filesystem;

constexpr os::ProcessLimits limits{.time = std::chrono::seconds(20)};

/// What tells whether a file is still the one that was asked.
struct Stamp {
  fs::file_time_type changed;
  std::uintmax_t bytes = 0;
  bool operator==(const Stamp&) const = default;
};

/// What programs said. Asking happens outside the lock, so that nobody waits for a slow program.
struct Memory {
  os::ProcessMutex mutex;
  std::map<std::string, std::pair<Stamp, Probed>> programs;

  std::optional<Probed> find(const std::string& path, const Stamp& stamp) {
    const std::scoped_lock lock(mutex);
    const auto found = programs.find(path);
    if (found == programs.end() || found->second.first != stamp) return std::nullopt;
    return found->second.second;
  }
  void keep(const std::string& path, const Stamp& stamp, const Probed& probed) {
    const std::scoped_lock lock(mutex);
    programs.insert_or_assign(path, std::pair(stamp, probed));
  }
};
Memory& memory() {
  static Memory& all = *new Memory;
  return all;
}
const os::MadeBeforeForks<memory> made;

Probed refused(std::string problem) { return {.assembler = {}, .problem = std::move(problem)}; }

/// The programs that the assembler runs lie beside it: in the wheels, and in a toolkit.
std::string missing_part(const fs::path& path) {
  std::error_code error;
  const fs::path folder = fs::canonical(path, error).parent_path();
  if (os::is_program(folder / "ptxas")) return {};
  return fmt::format("there is no ptxas in {}", folder.string());
}

Probed ask(const std::string& path) {
  if (!os::is_program(path)) return refused("there is no such program");
  const std::vector<std::string> environment = assembler_environment();
  const os::Ending about = os::run({{path, "--version"}, environment}, limits);
  const std::optional<ToolVersion> version = version_in(about.output);
  if (!version) return refused(fmt::format("--version {} and names no version", to_string(about)));
  if (*version < oldest_assembler) {
    return refused(fmt::format("version {} is older than {}.{}", to_string(*version),
                               oldest_assembler.major_number, oldest_assembler.minor_number));
  }
  const os::Ending listed = os::run({{path, "--list-versions"}, environment}, limits);
  std::vector<ir::Version> bytecode = bytecode_versions_in(listed.output);
  if (bytecode.empty()) return refused("it reads no version of bytecode that is written here");
  if (std::string problem = missing_part(path); !problem.empty()) return refused(problem);
  return {.assembler = {path, *version, std::move(bytecode)}, .problem = {}};
}

Probed ask_safely(const std::string& path) {
  try {
    return ask(path);
  } catch (const std::system_error& error) {
    return refused(error.what());
  }
}

}  // namespace

std::vector<std::string> assembler_environment() {
  return os::environment_without({"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"});
}

Probed probe(const std::string& path) {
  std::error_code error;
  const Stamp stamp{fs::last_write_time(path, error), fs::file_size(path, error)};
  if (std::optional<Probed> known = memory().find(path, stamp)) return *std::move(known);
  Probed probed = ask_safely(path);
  memory().keep(path, stamp, probed);
  return probed;
}

}  // namespace tw::inline v0::backend::tileiras
