// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/cache/bundle.hpp>
#include <tilewright/cache/compiled.hpp>
#include <tilewright/core/log.hpp>
#include <tilewright/ir/verifier.hpp>
#include <tilewright/passes/pipeline.hpp>

#include "assignment.hpp"
#include "binding.hpp"
#include "command.hpp"
#include "error.hpp"
#include "example.hpp"
#include "module_file.hpp"

namespace tw::cli {
namespace {

using backend::tileiras::Assembler;
using backend::tileiras::Assembly;
using backend::tileiras::Cubin;
using backend::tileiras::Remark;

struct Request {
  std::string subject;
  std::string architecture;
  std::string dtype;
  std::vector<std::string> arguments;
  std::string output;
  int level = 3;
  bool line_info = false;
  bool report = false;
  bool bundle = false;
};

backend::Target target_named(const std::string& name) {
  backend::Target target;
  constexpr std::string_view prefix = "sm_";
  const char* const end = name.data() + name.size();
  const bool prefixed = name.starts_with(prefix);
  const auto [stop, error] =
      std::from_chars(prefixed ? name.data() + prefix.size() : end, end, target.sm);
  if (error != std::errc() || stop != end) {
    throw UsageError(fmt::format("'{}' is no architecture such as sm_90", name));
  }
  return target;
}

/// The kernel of an example as a launch that proves its checks compiles it.
ir::Kernel example_kernel(const Request& request) {
  const NamedExample& example = find_example(request.subject);
  const std::optional<DType> dtype =
      request.dtype.empty() ? std::nullopt : std::optional(type_named(request.dtype));
  const Bound bound = bind_zeros(example, dtype, parse_assignments(request.arguments));
  return passes::optimise(passes::prepare(bound.launch().record()), {.predicate_holds = true});
}

ir::Kernel file_kernel(const Request& request) {
  ir::Kernel kernel{.module = load_module(request.subject, ir::DefaultPlace::text), .abi = {}};
  auto problems = ir::verify(kernel.module, {.allow_any_parameters = true});
  if (!problems.empty()) throw KernelError(std::move(problems));
  return kernel;
}

void print_row(std::string_view name, const std::string& text) {
  fmt::print("{:<11}{}\n", name, text);
}

/// How often each text of a remark with an instruction of this kind occurs.
std::map<std::string, int> instructions(const Cubin& cubin, std::string_view name) {
  std::map<std::string, int> counts;
  for (const Remark& remark : cubin.remarks) {
    if (remark.instruction.empty() || remark.name.find(name) == std::string::npos) continue;
    ++counts[remark.shape.empty() ? remark.instruction
                                  : fmt::format("{} {}", remark.instruction, remark.shape)];
  }
  return counts;
}

void print_instructions(const Cubin& cubin, std::string_view title, std::string_view name) {
  for (const auto& [text, count] : instructions(cubin, name)) {
    print_row(title, fmt::format("{} x {}", count, text));
    title = "";
  }
}

void print_summary(const Assembler& assembler, const Request& request, const Cubin& cubin) {
  const auto& use = cubin.resources;
  print_row("code", fmt::format("{} bytes for {}, by tileiras {}", cubin.bytes.size(),
                                request.architecture, to_string(assembler.version)));
  print_row("registers",
            fmt::format("{} a thread, {} threads a block", use.registers, use.threads));
  print_row("spills", fmt::format("{} bytes of local memory a thread", use.local_bytes));
  print_row("shared", fmt::format("{} bytes a block", use.shared_bytes));
  print_instructions(cubin, "loads", "LoadInstruction");
  print_instructions(cubin, "stores", "StoreInstruction");
  print_instructions(cubin, "products", "TensorCore");
}

void print_remarks(const Cubin& cubin) {
  static constexpr std::string_view kinds[] = {"passed", "missed", "failed", "analysis"};
  for (const Remark& remark : cubin.remarks) {
    std::string text = remark.text;
    if (!remark.instruction.empty())
      text += fmt::format(": {} {}", remark.instruction, remark.shape);
    for (const std::string& reason : remark.reasons) text += fmt::format("\n    {}", reason);
    fmt::print("{}:{}: {}: {}\n", remark.where.file_name(), remark.where.line(),
               kinds[static_cast<std::size_t>(remark.kind)], text);
  }
}

void print_warning(const std::string& text) { fmt::print(stderr, "tw: warning: {}\n", text); }

void compile(const Request& request) {
  const backend::Target target = target_named(request.architecture);
  const bool is_example = request.subject.starts_with("example:");
  const ir::Kernel kernel = is_example ? example_kernel(request) : file_kernel(request);
  const LogSink before =
      set_log_sink([](LogLevel, std::string_view text) { print_warning(std::string(text)); });
  const Assembler assembler = backend::tileiras::require();
  const Assembly assembly = backend::tileiras::assembly_of(kernel, target,
                                                           {.optimization_level = request.level,
                                                            .line_info = request.line_info,
                                                            .kernel = request.subject});
  report_lint(assembly);
  Cubin cubin = assemble(assembler, assembly);
  set_log_sink(before);
  print_summary(assembler, request, cubin);
  if (request.report) print_remarks(cubin);
  if (request.output.empty()) return;
  if (!request.bundle) return save_bytes(request.output, cubin.bytes);
  const std::vector<std::byte> key = cache::bundle_key(assembly);
  const std::vector<std::byte> blob = to_bytes(cubin);
  const cache::BundleEntry entry{key, request.architecture, blob};
  save_bytes(request.output, cache::bundle_bytes({&entry, 1}));
}

void declare(CLI::App& parser) {
  static Request request;
  parser
      .add_option("subject", request.subject,
                  "Text or bytecode of a kernel, - for standard input, or example:NAME")
      ->required();
  parser.add_option("--arch", request.architecture, "The architecture, such as sm_90")->required();
  parser.add_option("-o,--output", request.output, "Write the code to this file");
  parser.add_option("-O", request.level, "How much the assembler optimises")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  parser.add_flag("--lineinfo", request.line_info, "Put tables of lines into the code");
  parser.add_flag("--report", request.report, "Print every remark of the assembler");
  parser.add_flag("--bundle", request.bundle, "Write a bundle, for machines without an assembler");
  parser.add_option("--dtype", request.dtype, "Element type of an example: f32, f16 or bf16");
  parser
      .add_option("--arg", request.arguments,
                  "An extent or a number of an example, such as rows=100; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  parser.footer(describe_examples());
  parser.callback([] { compile(request); });
}

const Registration registration{
    "compile",
    {"Compile a kernel for a GPU, and say what its code takes and uses", declare},
};

}  // namespace
}  // namespace tw::cli
