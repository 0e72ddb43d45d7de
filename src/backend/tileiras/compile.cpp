// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tilewright/backend/tileiras/compile.hpp>
#include <tilewright/core/log.hpp>

#include "backend/tileiras/attempt.hpp"
#include "backend/tileiras/diagnosis.hpp"
#include "backend/tileiras/elf.hpp"
#include "backend/tileiras/remarks.hpp"
#include "backend/tileiras/support.hpp"
#include "backend/tileiras/workaround.hpp"

namespace tw::inline v0::backend::tileiras {
namespace {

void require_version(const Assembler& assembler, const Assembly& assembly) {
  const ToolVersion needed = assembler_for(assembly.target);
  if (assembler.version >= needed) return;
  throw CompilerError({{fmt::format("sm_{} needs tileiras {}.{} or later, but {} is {}",
                                    assembly.target.sm, needed.major_number, needed.minor_number,
                                    assembler.path, to_string(assembler.version)),
                        place_of_kernel(assembly.module),
                        {}}});
}

Cubin cubin_of(Attempt attempt, const ir::Module& module) {
  const std::string& entry = module.functions.front().name;
  const std::optional<Resources> resources = resources_of(attempt.cubin, entry);
  if (!resources) {
    throw CompilerError({{fmt::format("what tileiras wrote is no code of an entry {}", entry),
                          place_of_kernel(module),
                          {}}});
  }
  Cubin cubin{std::move(attempt.cubin), entry, *resources, remarks_in(attempt.remarks)};
  find_ops(cubin.remarks, module);
  return cubin;
}

/// The assembler found something wrong with the module.
[[noreturn]] void throw_refusal(const Assembler& assembler, const Assembly& assembly,
                                const Attempt& failed) {
  std::vector<Diagnostic> errors =
      errors_in(failed.ending.output, place_of_kernel(assembly.module));
  if (errors.empty())
    errors.push_back({failed.ending.output, place_of_kernel(assembly.module), {}});
  for (Diagnostic& error : errors) {
    error.message = fmt::format("{} (tileiras {} for sm_{})", error.message,
                                to_string(assembler.version), assembly.target.sm);
  }
  const std::string folder = save_for_reproduction(failed, assembly);
  if (!folder.empty()) {
    errors.front().notes.push_back(
        {fmt::format("what the assembler was given is in {}", folder), errors.front().where});
  }
  throw CompilerError(std::move(errors));
}

/// The assembler died or did not end, whatever was tried.
[[noreturn]] void throw_crash(const Assembler& assembler, const Assembly& assembly,
                              const Attempt& failed, const std::vector<std::string>& tried) {
  const CodePlace where = place_of_kernel(assembly.module);
  Diagnostic problem{describe(assembler, assembly, failed), where, {}};
  if (!tried.empty()) problem.message += fmt::format(", also {}", fmt::join(tried, ", "));
  if (failed.ending.kind == os::Ending::Kind::timed_out) {
    const std::chrono::duration<double> limit = assembly.options.limits.time;
    problem.message += fmt::format("; it had {} s: use smaller tiles", limit.count());
  }
  for (Diagnostic& each : lint(assembly)) {
    problem.notes.push_back({std::move(each.message), std::move(each.where)});
  }
  const std::string folder = save_for_reproduction(failed, assembly);
  if (!folder.empty()) {
    problem.notes.push_back({fmt::format("to see it again, run command.txt in {}", folder), where});
  }
  throw CompilerError({std::move(problem)});
}

/// Tries what may get around the end of the first attempt.
Cubin work_around(const Assembler& assembler, const Assembly& assembly, const Attempt& first) {
  // Only the last way is much faster than the others.
  const bool is_slow = first.ending.kind == os::Ending::Kind::timed_out;
  const std::span<const Workaround> ways = is_slow ? workarounds().last(1) : workarounds();
  Assembly current = assembly;
  std::vector<std::string> tried;
  for (const Workaround& way : ways) {
    std::optional<Assembly> next = way.apply(current);
    if (!next) continue;
    current = *std::move(next);
    tried.emplace_back(way.name);
    Attempt again = attempt(assembler, current);
    if (!again.succeeded()) continue;
    write_log(LogLevel::warning,
              fmt::format("{}; the code was made {}", describe(assembler, assembly, first),
                          fmt::join(tried, ", ")));
    return cubin_of(std::move(again), assembly.module);
  }
  throw_crash(assembler, assembly, first, tried);
}

}  // namespace

Cubin assemble(const Assembler& assembler, const Assembly& assembly) {
  require_version(assembler, assembly);
  Attempt first = attempt(assembler, assembly);
  if (first.succeeded()) return cubin_of(std::move(first), assembly.module);
  if (!is_crash(first)) throw_refusal(assembler, assembly, first);
  return work_around(assembler, assembly, first);
}

void report_lint(const Assembly& assembly) {
  for (const Diagnostic& each : lint(assembly)) write_log(LogLevel::warning, to_string(each));
}

Cubin compile(const ir::Kernel& kernel, const Target& target, const CompileOptions& options,
              Location where) {
  const Assembler assembler = require(where);
  const Assembly assembly = assembly_of(kernel, target, options);
  report_lint(assembly);
  return assemble(assembler, assembly);
}

}  // namespace tw::inline v0::backend::tileiras
