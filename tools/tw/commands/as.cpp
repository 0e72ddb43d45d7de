// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include <tilewright/bytecode/writer.hpp>
#include <tilewright/ir/verifier.hpp>

#include "command.hpp"
#include "module_file.hpp"

namespace tw::cli {
namespace {

struct Request {
  std::string input;
  std::string output;
  std::string version;
  bool without_places = false;
};

void assemble(const Request& request) {
  const ir::Module module = load_module(request.input);
  auto problems = ir::verify(module, {.allow_any_parameters = true});
  if (!problems.empty()) throw KernelError(std::move(problems));
  bytecode::WriteOptions options{.debug_info = !request.without_places};
  if (!request.version.empty()) options.version = version_named(request.version);
  save_bytes(request.output, bytecode::write(module, options));
}

void declare(CLI::App& parser) {
  static Request request;
  parser.add_option("file", request.input, "Text or bytecode; - is standard input")->required();
  parser.add_option("-o,--output", request.output, "The bytecode; - is standard output")
      ->required();
  parser
      .add_option("--bytecode-version,--version", request.version,
                  "The lowest that can hold the module by default")
      ->check(CLI::IsMember(version_names()));
  parser.add_flag("--no-places", request.without_places, "Write no source places");
  parser.callback([] { assemble(request); });
}

const Registration registration{
    "as",
    {"Verify a module of Tile IR and write it as bytecode", declare},
};

}  // namespace
}  // namespace tw::cli
