// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tilewright/bytecode/writer.hpp>
#include <tilewright/ir/printer.hpp>
#include <tilewright/passes/lower_checks.hpp>
#include <tilewright/passes/pipeline.hpp>
#include <tilewright/runtime/checks.hpp>

#include "assignment.hpp"
#include "binding.hpp"
#include "command.hpp"
#include "example.hpp"
#include "module_file.hpp"

namespace tw::cli {
namespace {

struct Request {
  std::string subject;
  std::string stage = "optimised";
  std::string dtype;
  std::vector<std::string> arguments;
  std::string bytecode;  ///< the file to write, if any
};

/// A kernel as it was recorded, and cleaned.
struct Recorded {
  ir::Kernel traced;
  passes::Prepared prepared;
};

ir::Kernel traced(const Recorded& kernel) { return kernel.traced; }

ir::Kernel optimised(const Recorded& kernel) {
  return passes::optimise(
      kernel.prepared,
      {.predicate_holds = true, .keep_all_checks = check_mode() == CheckMode::all_on_device});
}

ir::Kernel checked(const Recorded& kernel) { return passes::lower_checks(optimised(kernel)); }

const std::map<std::string, ir::Kernel (*)(const Recorded&)> stages = {
    {"traced", traced},
    {"optimised", optimised},
    {"checked", checked},
};

struct VerdictText {
  passes::Verdict verdict;
  const char* name;
  const char* meaning;
  bool listed;  ///< with the place of each, since these cost something at run time
};
constexpr VerdictText verdicts[] = {
    {passes::Verdict::folded, "folded", "proved for every launch", false},
    {passes::Verdict::launch, "launch", "decided by the arguments of a launch", true},
    {passes::Verdict::device, "device", "left in the code", true},
    {passes::Verdict::guard, "guard", "left in the code, in silence: padding and edges", false},
    {passes::Verdict::refuted, "refuted", "fails in every launch", true},
};

std::string describe(const ir::Module& module, const ir::Site& site) {
  const ir::SourcePlace& place = module.locations[site.location];
  std::string text = to_string(site);
  if (!site.text.empty()) text += fmt::format(" '{}'", site.text);
  return place.file.empty() ? text : fmt::format("{} at {}:{}", text, place.file, place.line);
}

/// As comments of Tile IR, so that the output stays a module.
std::string summary(const passes::Prepared& prepared) {
  std::string text = "// Checks of accesses:\n";
  for (const VerdictText& row : verdicts) {
    const std::size_t count = prepared.report.count(row.verdict);
    if (count == 0) continue;
    text += fmt::format("// {:5} {:<8}{}\n", count, row.name, row.meaning);
    for (const passes::Obligation& each : prepared.report.obligations) {
      if (!row.listed || each.verdict != row.verdict) continue;
      const ir::Module& module = prepared.kernel.module;
      text += fmt::format("//         {}\n", describe(module, module.sites[each.site]));
    }
  }
  return prepared.report.obligations.empty() ? "// No access needs a check.\n" : text;
}

void dump(const Request& request) {
  const NamedExample& example = find_example(request.subject);
  const std::optional<DType> dtype =
      request.dtype.empty() ? std::nullopt : std::optional(type_named(request.dtype));
  const Bound bound = bind_zeros(example, dtype, parse_assignments(request.arguments));
  const ir::Kernel kernel = bound.launch().record();
  const Recorded recorded{kernel, passes::prepare(kernel)};
  const ir::Module module = stages.at(request.stage)(recorded).module;
  fmt::print("{}\n{}", ir::print(module), summary(recorded.prepared));
  if (!request.bytecode.empty()) save_bytes(request.bytecode, bytecode::write(module));
}

void declare(CLI::App& parser) {
  static Request request;
  std::vector<std::string> names;
  for (const auto& [name, stage] : stages) names.push_back(name);
  parser.add_option("subject", request.subject, "Which kernel: example:NAME")->required();
  parser
      .add_option("--stage", request.stage,
                  "traced: as recorded; optimised: as compiled for the CPU when the arguments "
                  "prove what a launch can; checked: with its checks as plain Tile IR")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  parser.add_option("--dtype", request.dtype, "Element type: f32, f16 or bf16");
  parser
      .add_option("--arg", request.arguments,
                  "An extent or a number, such as rows=100; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  parser.add_option("--bytecode", request.bytecode,
                    "Also write the kernel to this file; it must be free of checks and prints");
  parser.footer("With TILEWRIGHT_CHECKS=device in the environment no check is discharged.\n\n" +
                describe_examples());
  parser.callback([] { dump(request); });
}

const Registration registration{
    "dump",
    {"Print the Tile IR of a kernel and what becomes of its checks", declare},
};

}  // namespace
}  // namespace tw::cli
