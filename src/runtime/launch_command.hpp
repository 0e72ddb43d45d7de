// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <tilewright/core/location.hpp>
#include <tilewright/runtime/storage.hpp>
#include <tilewright/runtime/submit.hpp>

#include "runtime/few.hpp"
#include "runtime/specialised.hpp"

namespace tw::inline v0::detail {

/// One launch on its way: what runs when its turn has come.
struct LaunchOrder {
  const char* kernel = nullptr;
  const Variant* variant = nullptr;
  Location where;
  backend::Grid grid;
};

/// The checks that are left in the code, in a few words each, for an error that lists them.
std::string describe_checks(const backend::Executable& executable);

/// Runs the blocks of a launch, or hands them to its device. An error is kept for those who read
/// `written`.
void run_launch(const LaunchOrder& order, std::span<std::uint64_t> arguments,
                std::span<const runtime::Lease> written, runtime::Execution& execution);
/// Keeps the fault of a launch whose blocks have run, if there is one, for those who read
/// `written`.
void settle_launch(const LaunchOrder& order, std::span<const std::uint64_t> arguments,
                   std::span<const runtime::Lease> written, runtime::Execution& execution);

/// The command of a launch: its arguments, and leases on its storages, those it writes first.
struct LaunchCommand {
  LaunchOrder order;
  Few<std::uint64_t, 16> arguments;
  Few<runtime::Lease, 6> leases;
  std::uint32_t written = 0;

  void operator()(runtime::Execution& execution) {
    run_launch(order, arguments.span(), leases.span().first(written), execution);
  }
  void settle(runtime::Execution& execution) {
    settle_launch(order, arguments.span(), leases.span().first(written), execution);
  }
};
static_assert(sizeof(LaunchCommand) <= runtime::Command::inline_bytes,
              "a launch of usual size is enqueued without an allocation");

}  // namespace tw::inline v0::detail
