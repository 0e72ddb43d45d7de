// SPDX-License-Identifier: Apache-2.0
// Exchanges files with other implementations of Tile IR.
//
//   interop_modules samples FOLDER
//     For every op sample and for larger modules, in every version that can hold them: the bytecode
//     NAME.tilebc and our text of it, NAME.txt.
//   interop_modules rewrite FOLDER
//     For every NAME.tilebc: our text of it, NAME.txt, and what we write for it, NAME.again, in the
//     same version. Says what is wrong with files that cannot be read, do not verify or change when
//     what we write is written again.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tilewright/bytecode/reader.hpp>
#include <tilewright/bytecode/writer.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/ir/verifier.hpp>

#include "tests/bytecode/located_module.hpp"
#include "tests/ir/op_samples.hpp"
#include "tests/ir/sample_module.hpp"

namespace tw {
namespace {

using std::filesystem::path;

void save(const path& file, std::span<const char> text) {
  std::ofstream(file, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
}
void save(const path& file, std::span<const std::byte> bytes) {
  save(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::vector<std::byte> load(const path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void save_versions(const path& folder, std::string_view name, const ir::Module& module) {
  for (const ir::Version version : bytecode::versions()) {
    if (version < bytecode::lowest_version(module)) continue;
    const std::string stem = fmt::format("{}-13.{}", name, version.minor_number);
    save(folder / (stem + ".tilebc"), bytecode::write(module, {.version = version}));
    save(folder / (stem + ".txt"), ir::print(module));
  }
}

bool save_samples(const path& folder) {
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const ir::OpSample& each : ir::samples::all()) {
    save_versions(folder, fmt::format("{:03}-{}", number++, ir::row(each.code).name),
                  each.module());
  }
  save_versions(folder, "module", ir::SampleModule::build());
  save_versions(folder, "located", ir::located_module());
  return true;
}

/// Empty, or what is wrong with the file.
std::string rewrite(path file) {
  const std::vector<std::byte> bytes = load(file);
  try {
    const ir::Module module = bytecode::read(bytes);
    const ir::Version version = bytecode::read_version(bytes);
    const auto again = bytecode::write(module, {.version = version});
    if (bytecode::write(bytecode::read(again), {.version = version}) != again) {
      return "what we write does not come back as it was";
    }
    save(file.replace_extension(".again"), again);
    save(file.replace_extension(".txt"), ir::print(module));
    std::string text;
    for (const Diagnostic& each : ir::verify(module)) text += to_string(each) + "\n";
    return text;
  } catch (const Error& error) {
    return error.what();
  }
}

bool rewrite_all(const path& folder) {
  bool all_well = true;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tilebc") continue;
    const std::string problem = rewrite(entry.path());
    if (problem.empty()) continue;
    fmt::print(stderr, "{}: {}\n", entry.path().filename().string(), problem);
    all_well = false;
  }
  return all_well;
}

}  // namespace
}  // namespace tw

int main(int count, char** arguments) {
  const std::string_view command = count == 3 ? arguments[1] : "";
  if (command == "samples") return tw::save_samples(arguments[2]) ? EXIT_SUCCESS : EXIT_FAILURE;
  if (command == "rewrite") return tw::rewrite_all(arguments[2]) ? EXIT_SUCCESS : EXIT_FAILURE;
  fmt::print(stderr, "usage: interop_modules samples|rewrite FOLDER\n");
  return EXIT_FAILURE;
}
