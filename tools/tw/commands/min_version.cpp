// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include <tilewright/bytecode/writer.hpp>

#include "command.hpp"
#include "module_file.hpp"

namespace tw::cli {
namespace {

struct Request {
  std::string input;
  bool json = false;
};

void tell(const Request& request) {
  const std::string version = to_string(bytecode::lowest_version(load_module(request.input)));
  request.json ? fmt::print("{{\"version\": \"{}\"}}\n", version) : fmt::print("{}\n", version);
}

void declare(CLI::App& parser) {
  static Request request;
  parser.add_option("file", request.input, "Text or bytecode; - is standard input")->required();
  parser.add_flag("--json", request.json, "Print the version as JSON");
  parser.callback([] { tell(request); });
}

const Registration registration{
    "min-version",
    {"Print the oldest version of bytecode that can hold a module", declare},
};

}  // namespace
}  // namespace tw::cli
