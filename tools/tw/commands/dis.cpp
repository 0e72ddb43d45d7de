// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/core.h>

#include <tilewright/ir/printer.hpp>

#include "command.hpp"
#include "module_file.hpp"

namespace tw::cli {
namespace {

struct Request {
  std::string input;
  std::string tool = version_names().back();
  ir::PrintOptions options;
  bool keep_names = false;
};

void disassemble(Request request) {
  request.options.tool = version_named(request.tool);
  const ModuleFile file = load_file(request.input);
  if (request.keep_names) request.options.names = &file.names;
  fmt::print("{}", ir::print(file.module, request.options));
}

void declare(CLI::App& parser) {
  static Request request;
  parser.add_option("file", request.input, "Bytecode or text; - is standard input")->required();
  parser.add_flag("-g,--places", request.options.locations, "Print source places");
  parser.add_flag("--wrapped", request.options.wrapped,
                  "Print the module around the entries, too, as cuda-tile-opt does");
  parser.add_flag("--names", request.keep_names, "Keep the names that a text gives to values");
  parser.add_option("--tool", request.tool, "The release whose spelling is used")
      ->check(CLI::IsMember(version_names()))
      ->capture_default_str();
  parser.callback([] { disassemble(request); });
}

const Registration registration{
    "dis",
    {"Print a module of Tile IR as text", declare},
};

}  // namespace
}  // namespace tw::cli
