// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tilewright/core/npy.hpp>

#include "array.hpp"
#include "assignment.hpp"
#include "binding.hpp"
#include "command.hpp"
#include "error.hpp"
#include "example.hpp"
#include "module_run.hpp"

namespace tw::cli {
namespace {

struct Request {
  std::string subject;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;
  std::string entry;
  std::vector<std::uint32_t> grid;
};

void refuse_unknown(const NamedExample& example, const Assignments& files) {
  std::vector<std::string> names;
  for (const TensorParameter& output : example.second.outputs) names.push_back(output.name);
  for (const auto& [name, right] : files) {
    if (std::ranges::count(names, name) > 0) continue;
    throw UsageError(fmt::format("{} has no output '{}'; it has {}", example.first, name,
                                 fmt::join(names, ", ")));
  }
}

void run_example(const Request& request) {
  const NamedExample& example = find_example(request.subject);
  if (!request.grid.empty() || !request.entry.empty()) {
    throw UsageError("--grid and --entry are for files; an example knows its own");
  }
  const Assignments files = parse_assignments(request.outputs);
  refuse_unknown(example, files);
  const Bound bound = bind_files(example, parse_assignments(request.arguments));
  const std::vector<AnyTensor> results = bound.launch().run();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string& name = example.second.outputs.at(i).name;
    if (const auto file = files.find(name); file != files.end()) {
      write_npy(file->second.value, download(results[i]));
    } else {
      fmt::print("{}: {}\n", name, statistics(results[i]));
    }
  }
}

void run(const Request& request) {
  if (request.subject.starts_with("example:")) return run_example(request);
  run_module({request.subject, request.entry, request.grid, parse_assignments(request.arguments),
              parse_assignments(request.outputs)});
}

void declare(CLI::App& parser) {
  static Request request;
  parser
      .add_option("subject", request.subject,
                  "Which kernel: example:NAME, or a file of Tile IR as text or bytecode, - for "
                  "standard input")
      ->required();
  parser.add_option("--grid", request.grid, "The numbers of blocks that a file's kernel runs in")
      ->type_name("X[,Y[,Z]]")
      ->delimiter(',')
      ->expected(1, 3);
  parser.add_option("--entry", request.entry, "Which kernel of a file that has several");
  parser
      .add_option("--arg", request.arguments,
                  "An input, such as x=x.npy, or a number, such as eps=1e-5; may be repeated. "
                  "What NumPy lacks is read from unsigned integers: x:bf16=x.npy. The parameters "
                  "of a file's kernel are called arg0, arg1, ...; a pointer also takes the extents "
                  "of an array of zeros, such as arg2=4x8")
      ->type_name("NAME[:TYPE]=VALUE")
      ->allow_extra_args(false);
  parser
      .add_option("--out", request.outputs,
                  "Where an output goes, such as y=y.npy; may be repeated. Of other outputs, and "
                  "of all arrays of a file's kernel, the shape, the extremes and the mean are "
                  "printed")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  parser.footer(
      "Exit status: 0 success; 1 a file or the kernel failed; 2 the command line or the "
      "type or\nshape of an input is wrong; 3 a check of the kernel failed while it "
      "ran.\n\n" +
      describe_examples());
  parser.callback([] { run(request); });
}

const Registration registration{
    "run",
    {"Run a kernel on .npy files", declare},
};

}  // namespace
}  // namespace tw::cli
