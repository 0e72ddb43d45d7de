// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>

#include <tilewright/ir/verifier.hpp>

#include "command.hpp"
#include "module_file.hpp"

namespace tw::cli {
namespace {

struct Request {
  std::string input;
  std::string tool = version_names().back();
  std::optional<int> architecture;
  bool only_tile_ir = false;
};

void verify(const Request& request) {
  const ir::VerifyOptions options{.tool = version_named(request.tool),
                                  .architecture = request.architecture,
                                  .allow_own_ops = !request.only_tile_ir};
  auto problems = ir::verify(load_module(request.input, ir::DefaultPlace::text), options);
  if (!problems.empty()) throw KernelError(std::move(problems));
}

void declare(CLI::App& parser) {
  static Request request;
  parser.add_option("file", request.input, "Text or bytecode; - is standard input")->required();
  parser.add_option("--tool", request.tool, "The release of the assembler that has to accept it")
      ->check(CLI::IsMember(version_names()))
      ->capture_default_str();
  parser
      .add_option("--arch", request.architecture,
                  "The compute capability that has to run it, such as 90")
      ->check(CLI::PositiveNumber);
  parser.add_flag("--only-tile-ir", request.only_tile_ir, "Refuse the ops tw.check and tw.print");
  parser.footer("Says nothing about a valid module.");
  parser.callback([] { verify(request); });
}

const Registration registration{
    "verify",
    {"Tell every rule of Tile IR that a module breaks", declare},
};

}  // namespace
}  // namespace tw::cli
