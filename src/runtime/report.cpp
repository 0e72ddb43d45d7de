// SPDX-License-Identifier: Apache-2.0
#include <tilewright/runtime/report.hpp>

#include "runtime/specialised.hpp"

namespace tw::inline v0::detail {
namespace {

SpecialisationReport report_of(const Specialised& specialised, const passes::Prepared& traced) {
  using passes::Verdict;
  SpecialisationReport report{.facts = specialised.facts(),
                              .checks = {.folded = traced.report.count(Verdict::folded),
                                         .at_launch = traced.report.count(Verdict::launch),
                                         .on_device = traced.report.count(Verdict::device)}};
  for (const bool predicate_holds : {false, true}) {
    if (const Variant* variant = specialised.compiled(predicate_holds)) {
      report.code_bytes += variant->executable->byte_size();
    }
  }
  return report;
}

}  // namespace

KernelReport report_of(const KernelInfo& kernel) {
  KernelReport report{.name = kernel.name};
  for (const Specialised* specialised : kernel.table->all()) {
    // One whose kernel is wrong stays unrecorded.
    const passes::Prepared* traced = specialised->traced();
    if (traced != nullptr) report.specialisations.push_back(report_of(*specialised, *traced));
  }
  return report;
}

}  // namespace tw::inline v0::detail
