// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include <tilewright/ir/diff.hpp>

#include "command.hpp"
#include "error.hpp"
#include "json.hpp"
#include "module_file.hpp"

namespace tw::cli {
namespace {

struct Request {
  std::string left;
  std::string right;
  ir::DiffOptions options;
  bool exact = false;
  bool json = false;
};

std::string likeness_text(ir::Likeness likeness) {
  switch (likeness) {
    case ir::Likeness::identical:
      return "identical";
    case ir::Likeness::equivalent:
      return "equivalent";
    case ir::Likeness::different:
      break;
  }
  return "different";
}

std::string source_text(const CodePlace& source) {
  return source.line() == 0 ? "" : fmt::format(" ({}:{})", source.file_name(), source.line());
}

void print_sides(const std::string& what, const ir::DiffPlace& left, const ir::DiffPlace& right) {
  fmt::print("  {}\n", what);
  if (!left.path.empty()) {
    fmt::print("    < {}{}\n      {}\n", left.path, source_text(left.source), left.text);
  }
  if (!right.path.empty()) {
    fmt::print("    > {}{}\n      {}\n", right.path, source_text(right.source), right.text);
  }
}

void print_text(const ir::Diff& found) {
  fmt::print("{}\n", likeness_text(found.likeness()));
  if (found.divergence) {
    return print_sides(found.divergence->what, found.divergence->left, found.divergence->right);
  }
  for (const ir::HarmlessDifference& each : found.harmless) {
    print_sides(std::string(to_string(each.kind)), each.left, each.right);
  }
}

Json place_json(const ir::DiffPlace& place) {
  if (place.path.empty()) return nullptr;
  Json json{{"path", place.path}, {"text", place.text}};
  add_place(json, place.source);
  return json;
}

Json sides_json(std::string_view what, const ir::DiffPlace& left, const ir::DiffPlace& right) {
  return {{"what", what}, {"left", place_json(left)}, {"right", place_json(right)}};
}

void print_json(const ir::Diff& found) {
  Json json{{"likeness", likeness_text(found.likeness())}};
  if (const auto& divergence = found.divergence) {
    json["divergence"] = sides_json(divergence->what, divergence->left, divergence->right);
  } else {
    json["harmless"] = Json::array();
    for (const ir::HarmlessDifference& each : found.harmless) {
      json["harmless"].push_back(sides_json(to_string(each.kind), each.left, each.right));
    }
  }
  print(json);
}

void compare(const Request& request) {
  const ir::Module left = load_module(request.left);
  const ir::Diff found = ir::diff(left, load_module(request.right), request.options);
  request.json ? print_json(found) : print_text(found);
  const ir::Likeness needed = request.exact ? ir::Likeness::identical : ir::Likeness::equivalent;
  if (found.likeness() > needed) throw CLI::RuntimeError(different);
}

void declare(CLI::App& parser) {
  static Request request;
  parser.add_option("left", request.left, "Text or bytecode; - is standard input")->required();
  parser.add_option("right", request.right, "The module that it is compared with")->required();
  parser.add_flag("--ignore-places", request.options.ignore_places, "Source places do not count");
  parser.add_flag("--ignore-hints", request.options.ignore_hints,
                  "Optimization hints do not count");
  parser.add_flag("--exact", request.exact, "Harmless differences count as differences");
  parser.add_flag("--json", request.json, "Print the answer as JSON");
  parser.footer(
      "Exit status: 0 the modules are identical or, without --exact, equivalent; 1 a file cannot "
      "be "
      "read;\n2 the command line is wrong; 4 they differ.");
  parser.callback([] { compare(request); });
}

const Registration registration{
    "diff",
    {"Compare two modules of Tile IR as graphs", declare},
};

}  // namespace
}  // namespace tw::cli
