// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch_command.hpp"

#include <exception>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/runtime/fault_ring.hpp>

namespace tw::inline v0::detail {
namespace {

/// What a failed check was about, as in "gemm.cpp:12: matmul<float>: load of argument 1 along axis
/// 0".
runtime::SiteDescription describe_site(const LaunchOrder& order, std::uint32_t row) {
  const backend::Executable& executable = *order.variant->executable;
  if (row >= executable.sites().size()) {
    return {fmt::format("{}: a check failed", order.kernel), false};
  }
  const ir::Site& site = executable.sites()[row];
  const ir::SourcePlace& place = executable.place(site);
  std::string text = fmt::format("{}:{}: {}: {}", place.file, place.line, order.kernel, site.kind);
  if (site.parameter >= 0) text += fmt::format(" of argument {}", site.parameter + 1);
  if (site.axis >= 0) text += fmt::format(" along axis {}", site.axis);
  if (!site.text.empty()) text += fmt::format(": {}", site.text);
  return {std::move(text), site.text.empty()};
}

}  // namespace

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
    const runtime::SiteDescription site = describe_site(order, record->site);
    execution.fail(std::make_exception_ptr(runtime::fault_of(*record, site, order.where)), written);
  }
}

}  // namespace tw::inline v0::detail
