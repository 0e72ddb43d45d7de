// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch_command.hpp"

#include <cstdint>
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

constexpr std::size_t none = SIZE_MAX;

/// Where the address of the fault record stands among the arguments, followed by the serial: those
/// two are the last that any kernel has.
std::size_t fault_parameters(const backend::Executable& executable) noexcept {
  const std::vector<ir::AbiSlot>& slots = executable.parameters();
  if (slots.size() < 2 || slots[slots.size() - 2].kind != ir::AbiKind::fault_block) return none;
  return slots.size() - 2;
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
  if (const std::size_t at = fault_parameters(executable); at != none) {
    arguments[at] = reinterpret_cast<std::uintptr_t>(&execution.fault_record());
    arguments[at + 1] = execution.serial();
  }
  try {
    executable.enqueue({execution.native()}, order.grid, arguments);
  } catch (const DeviceError& error) {
    const DeviceError placed(error.diagnostics().front().message, order.where);
    execution.fail(std::make_exception_ptr(placed), written);
  } catch (...) {
    execution.fail(std::current_exception(), written);
  }
}

void settle_launch(const LaunchOrder& order, std::span<const std::uint64_t> arguments,
                   std::span<const runtime::Lease> written, runtime::Execution& execution) {
  const std::size_t at = fault_parameters(*order.variant->executable);
  if (at == none) return;
  const auto& record = *reinterpret_cast<const FaultRecord*>(arguments[at]);
  if (record.state != FaultRecord::written) return;
  const DeviceFault fault = runtime::fault_of(record, describe_failure(order, record), order.where);
  execution.fail(std::make_exception_ptr(fault), written);
}

}  // namespace tw::inline v0::detail
