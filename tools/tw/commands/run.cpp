// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

namespace tw::cli {
namespace {

struct Request {
  std::string subject;
  std::vector<std::string> arguments;
  std::vector<std::string> outputs;
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

void run(const Request& request) {
  const NamedExample& example = find_example(request.subject);
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

void declare(CLI::App& parser) {
  static Request request;
  parser.add_option("subject", request.subject, "Which kernel: example:NAME")->required();
  parser
      .add_option("--arg", request.arguments,
                  "An input, such as x=x.npy, or a number, such as eps=1e-5; may be repeated. "
                  "What NumPy lacks is read from unsigned integers: x:bf16=x.npy")
      ->type_name("NAME[:TYPE]=VALUE")
      ->allow_extra_args(false);
  parser
      .add_option("--out", request.outputs,
                  "Where an output goes, such as y=y.npy; may be repeated. Of other outputs the "
                  "shape, the extremes and the mean are printed")
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
