// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <tilewright/backend/tileiras/assembler.hpp>
#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/core/os_process.hpp>

#include "backend/tileiras/probe.hpp"
#include "backend/tileiras/python.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

namespace fs = std::filesystem;

constexpr const char* program = "tileiras";
constexpr const char* override_variable = "TILEWRIGHT_TILEIRAS";

/// The entries of a folder whose names begin with `prefix`, the greatest name first; none when it
/// cannot be read.
std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> result;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    if (each->path().filename().string().starts_with(prefix)) result.push_back(each->path());
  }
  std::ranges::sort(result, std::ranges::greater());
  return result;
}

std::vector<std::string> existing(const std::vector<fs::path>& folders) {
  std::vector<std::string> result;
  for (const fs::path& folder : folders) {
    if (os::is_program(folder / "bin" / program)) result.push_back(folder / "bin" / program);
  }
  return result;
}

/// The wheel puts its files below a folder that is named after the toolkit, such as "cu13".
std::vector<std::string> in_packages(const fs::path& packages) {
  return existing(entries(packages / "nvidia", "cu"));
}

/// In the packages of a Python that lives below `prefix`.
std::vector<std::string> in_prefix(const std::string& prefix) {
  std::vector<std::string> result;
  for (const fs::path& version : entries(fs::path(prefix) / "lib", "python3")) {
    std::ranges::copy(in_packages(version / "site-packages"), std::back_inserter(result));
  }
  return result;
}

std::vector<std::string> in_virtual_environment() {
  const std::optional<std::string> prefix = os::environment("VIRTUAL_ENV");
  return prefix ? in_prefix(*prefix) : std::vector<std::string>();
}

std::vector<std::string> in_this_python() {
  const std::optional<std::string> prefix = prefix_of_loaded_python();
  return prefix ? in_prefix(*prefix) : std::vector<std::string>();
}

std::vector<std::string> in_first_python() {
  std::vector<std::string> result;
  for (const std::string& folder : folders_of_first_python()) {
    std::ranges::copy(in_packages(folder), std::back_inserter(result));
  }
  return result;
}

std::vector<std::string> on_path() {
  const std::optional<std::string> path = os::program_on_path(program);
  return path ? std::vector{*path} : std::vector<std::string>();
}

std::vector<std::string> in_toolkits() { return existing(entries("/usr/local", "cuda")); }

struct Source {
  const char* name;
  std::vector<std::string> (*paths)();
};
constexpr Source sources[] = {
    {"$VIRTUAL_ENV", in_virtual_environment},
    {"the Python of this process", in_this_python},
    {"the first python3 on PATH", in_first_python},
    {"PATH", on_path},
    {"/usr/local/cuda*", in_toolkits},
};

/// Tries one program; true when it serves.
bool serves(Search& search, const char* source, const std::string& path) {
  Probed probed = probe(path);
  search.candidates.push_back({source, path, probed.problem});
  if (!probed.problem.empty()) return false;
  search.assembler = std::move(probed.assembler);
  return true;
}

std::string list_of(const std::vector<Candidate>& candidates) {
  std::string text;
  for (const Candidate& each : candidates) {
    text += fmt::format("\n  {} ({}): {}", each.path, each.source, each.problem);
  }
  return text;
}

}  // namespace

Search find() {
  Search search;
  if (const std::optional<std::string> path = os::environment(override_variable)) {
    serves(search, override_variable, *path);
    return search;
  }
  for (const Source& source : sources) {
    for (const std::string& path : source.paths()) {
      if (serves(search, source.name, path)) return search;
    }
  }
  return search;
}

Assembler require(Location where) {
  Search search = find();
  if (search.assembler) return *std::move(search.assembler);
  throw CompilerError(
      fmt::format("kernels for GPUs need NVIDIA's assembler tileiras {}.{} or later, which was not "
                  "found: pip install nvidia-cuda-tileiras nvidia-cuda-nvcc nvidia-nvvm (of one "
                  "version), or set {}{}",
                  oldest_assembler.major_number, oldest_assembler.minor_number, override_variable,
                  list_of(search.candidates)),
      where);
}

}  // namespace tw::inline v0::backend::tileiras
