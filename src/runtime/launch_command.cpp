// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch_command.hpp"

#include <exception>
#include <vector>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/fault_ring.hpp>

namespace tw::inline v0::detail {
namespace {

/// Where a check stands and what it is about: "gemm.cpp:12: load of argument 1 along axis 0".
std::string describe(const backend::Executable& executable, const ir::Site& site) {
  const ir::SourcePlace& place = executable.place(site);
  std::string text = fmt::format("{}:{}: {}", place.file, place.line, to_string(site));
  if (!site.text.empty()) text += fmt::format(": {}", site.text);
  return text;
}

runtime::SiteDescription describe_failure(const LaunchOrder& order, const FaultRecord& record) {
  const backend::Executable& executable = *order.variant->executable;
  if (record.site >= executable.sites().size()) {
    return {fmt::format("{}, launched here, failed a check", order.kernel), false};
  }
  const ir::Site& site = executable.sites()[record.site];
  return {fmt::format("{}, launched here, failed at {}", order.kernel, describe(executable, site)),
          site.text.empty()};
}

}  // namespace

std::string describe_checks(const backend::Executable& executable) {
  std::vector<std::string> checks;
  for (const ir::Site& site : executable.sites()) {
    if (site.kind != "print") checks.push_back(describe(executable, site));
  }
  return fmt::format("{}", fmt::join(checks, "; "));
}

void run_launch(const LaunchOrder& order, std::span<std::uint64_t> arguments,
                std::span<const runtime::Lease> written, runtime::Execution& execution) {
  const backend::Executable& executable = *order.variant->executable;
  const FaultRecord* record = nullptr;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ir::AbiKind kind = executable.parameters()[i].kind;
    if (kind == ir::AbiKind::serial) arguments[i] = execution.serial();
    if (kind == ir::AbiKind::fault_block) {
      record = &execution.fault_record();
      arguments[i] = reinterpret_cast<std::uintptr_t>(record);
    }
  }
  try {
    executable.enqueue({}, order.grid, arguments);
  } catch (...) {
    execution.fail(std::current_exception(), written);
    return;
  }
  if (record != nullptr && record->state == FaultRecord::written) {
    const DeviceFault fault =
        runtime::fault_of(*record, describe_failure(order, *record), order.where);
    execution.fail(std::make_exception_ptr(fault), written);
  }
}

}  // namespace tw::inline v0::detail
