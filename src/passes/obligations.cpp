// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include <tilewright/passes/obligations.hpp>

#include "passes/range_analysis.hpp"
#include "passes/sites.hpp"

namespace tw::inline v0::passes {
namespace {

std::string index_text(const Range& index) {
  if (index.exact()) return fmt::format("index {}", index.low);
  return fmt::format("an index from {} to {}", index.low, index.high);
}

std::string bound_text(const Range& bound) {
  if (!bound.exact()) return fmt::format("any bound from {} to {}", bound.low, bound.high);
  return bound.low > 0 ? fmt::format("0 to {}", bound.low - 1) : "what has no elements";
}

std::string refutation_text(const ir::Site& site, const RangeGraph& graph,
                            const AnalysedCheck& check) {
  if (!site.text.empty()) return fmt::format("this never holds: {}", site.text);
  return fmt::format("{}: {} is outside {}", to_string(site),
                     index_text(graph.range(check.index)), bound_text(graph.range(check.bound)));
}

Diagnostic refutation(const ir::Module& module, const RangeGraph& graph,
                      const AnalysedCheck& check) {
  const ir::Site& site = site_of(module, *check.op);
  return {refutation_text(site, graph, check), module.locations[site.location], {}};
}

Verdict judge(const ir::Module& module, const RangeGraph& graph, const AnalysedCheck& check,
              LaunchPredicate& predicate) {
  const auto decided = graph.verdict(check.condition);
  if (decided && *decided) return Verdict::folded;
  // What may lie outside often does: claiming that it never does would spoil all other claims.
  if (is_silent(module, *check.op)) return Verdict::guard;
  if (decided) return is_assertion(module, *check.op) ? Verdict::device : Verdict::refuted;
  const bool claimed =
      graph.launch_decides(check.condition) && predicate.require(graph.nodes(), check.condition);
  return claimed ? Verdict::launch : Verdict::device;
}

}  // namespace

std::size_t ObligationReport::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(obligations, verdict, &Obligation::verdict));
}

const Obligation& ObligationReport::claimed(std::size_t claim) const {
  for (const Obligation& each : obligations) {
    if (each.verdict == Verdict::launch && claim-- == 0) return each;
  }
  throw BugError("a launch predicate names a claim that its report lacks", Location::current());
}

ObligationReport analyse(const ir::Kernel& kernel) {
  const RangeAnalysis analysis(kernel);
  const RangeGraph& graph = analysis.graph();
  ObligationReport report;
  for (const AnalysedCheck& check : analysis.checks()) {
    const auto site = static_cast<std::uint32_t>(check.op->integer(ir::AttributeName::site));
    const Verdict verdict = judge(kernel.module, graph, check, report.predicate);
    report.obligations.push_back({site, verdict});
    if (verdict == Verdict::refuted) {
      report.refuted.push_back(refutation(kernel.module, graph, check));
    }
  }
  std::ranges::sort(report.refuted, {}, [](const Diagnostic& refuted) {
    const CodePlace& where = refuted.where;
    return std::tuple(std::string_view(where.file_name()), where.line(), where.column());
  });
  return report;
}

}  // namespace tw::inline v0::passes
