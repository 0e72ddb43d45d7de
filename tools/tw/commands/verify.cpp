// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tilewright/bytecode/writer.hpp>
#include <tilewright/ir/verifier.hpp>

#include "command.hpp"
#include "error.hpp"
#include "json.hpp"
#include "module_file.hpp"
#include "number_text.hpp"

namespace tw::cli {
namespace {

using Diagnostics = std::vector<Diagnostic>;

struct Request {
  std::string input;
  std::string tool = version_names().back();
  std::string version;
  std::string architecture;
  bool only_tile_ir = false;
  bool allow_functions = false;
  bool json = false;
};

/// 90 for sm_90 or 90.
std::optional<int> architecture_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  if (name.starts_with("sm_")) name.remove_prefix(3);
  if (const auto number = number_in<int>(name); number && *number > 0) return number;
  throw UsageError(fmt::format("--arch is sm_90 or the like, not '{}'", name));
}

/// Whether the module fits into the file that is to hold it, and the tool reads such files.
void check_version(const ModuleFile& file, const Request& request, Diagnostics& errors) {
  std::optional<ir::Version> version = file.version;
  if (!request.version.empty()) {
    version = version_named(request.version);
    try {
      (void)bytecode::write(file.module, {.version = version});
    } catch (const CompilerError& error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (version && *version > version_named(request.tool)) {
    const std::string message =
        fmt::format("a tool of {} does not read bytecode of {}", request.tool, to_string(*version));
    errors.push_back({message, CodePlace(request.input, 0), {}});
  }
}

Json json_of(const Diagnostics& diagnostics) {
  auto list = Json::array();
  for (const Diagnostic& each : diagnostics) {
    Json row{{"message", each.message}};
    add_place(row, each.where);
    list.push_back(std::move(row));
  }
  return list;
}

void verify(const Request& request) {
  const ModuleFile file = load_file(request.input, ir::DefaultPlace::text);
  const ir::VerifyOptions options{.tool = version_named(request.tool),
                                  .architecture = architecture_named(request.architecture),
                                  .allow_own_ops = !request.only_tile_ir,
                                  .allow_functions = request.allow_functions,
                                  .allow_any_parameters = request.allow_functions};
  auto [errors, warnings] = ir::examine(file.module, options);
  if (errors.empty()) check_version(file, request, errors);
  if (request.json) {
    const Json answer{
        {"valid", errors.empty()}, {"errors", json_of(errors)}, {"warnings", json_of(warnings)}};
    print(answer);
    if (!errors.empty()) throw CLI::RuntimeError(failure);
    return;
  }
  for (const Diagnostic& each : warnings) {
    fmt::print(stderr, "tw: warning: {}\n", to_string(each));
  }
  if (!errors.empty()) throw KernelError(std::move(errors));
}

void declare(CLI::App& parser) {
  static Request request;
  parser.add_option("file", request.input, "Text or bytecode; - is standard input")->required();
  parser.add_option("--tool", request.tool, "The release of the assembler that has to accept it")
      ->check(CLI::IsMember(version_names()))
      ->capture_default_str();
  parser
      .add_option("--bytecode-version", request.version,
                  "The version of the file that has to hold it, if not the one that it is in")
      ->check(CLI::IsMember(version_names()));
  parser.add_option("--arch", request.architecture,
                    "The architecture that has to run it, such as sm_90");
  parser.add_flag("--only-tile-ir", request.only_tile_ir, "Refuse the ops tw.check and tw.print");
  parser.add_flag(
      "--allow-functions", request.allow_functions,
      "Accept functions that are no entries, and parameters that no assembler takes, as "
      "in tests of other tools");
  parser.add_flag("--json", request.json, "Print the answer as JSON");
  parser.footer(
      "Says nothing about a valid module. Warnings, about what the tool would ignore in silence, "
      "do not\nchange the exit status: 0 valid; 1 invalid, or not to be read; 2 the command line "
      "is wrong.");
  parser.callback([] { verify(request); });
}

const Registration registration{
    "verify",
    {"Tell every rule of Tile IR that a module breaks", declare},
};

}  // namespace
}  // namespace tw::cli
