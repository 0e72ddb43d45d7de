// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include <tilewright/ir/summary.hpp>

#include "command.hpp"
#include "json.hpp"
#include "module_file.hpp"

namespace tw::cli {
namespace {

using ir::FunctionSummary;

struct Request {
  std::string input;
  bool json = false;
};

struct Table {
  const char* name;
  FunctionSummary::Counts FunctionSummary::* counts;
};
constexpr Table tables[] = {
    {"ops", &FunctionSummary::ops},           {"accesses", &FunctionSummary::accesses},
    {"products", &FunctionSummary::products}, {"flags", &FunctionSummary::flags},
    {"hints", &FunctionSummary::hints},
};

void print_text(const std::vector<FunctionSummary>& summaries) {
  for (const FunctionSummary& summary : summaries) {
    fmt::print("{}\n", summary.name);
    for (const Table& table : tables) {
      if ((summary.*table.counts).empty()) continue;
      fmt::print("  {}\n", table.name);
      for (const auto& [text, count] : summary.*table.counts) {
        fmt::print("    {:>6} {}\n", count, text);
      }
    }
  }
}

void print_json(const std::vector<FunctionSummary>& summaries) {
  auto json = Json::array();
  for (const FunctionSummary& summary : summaries) {
    Json row{{"name", summary.name}};
    for (const Table& table : tables) row[table.name] = summary.*table.counts;
    json.push_back(std::move(row));
  }
  print(json);
}

void summarise(const Request& request) {
  const auto summaries = ir::summarise(load_module(request.input));
  request.json ? print_json(summaries) : print_text(summaries);
}

void declare(CLI::App& parser) {
  static Request request;
  parser.add_option("file", request.input, "Text or bytecode; - is standard input")->required();
  parser.add_flag("--json", request.json, "Print the counts as JSON");
  parser.callback([] { summarise(request); });
}

const Registration registration{
    "stat",
    {"Count the ops of a module, what they access and multiply, flags and hints", declare},
};

}  // namespace
}  // namespace tw::cli
