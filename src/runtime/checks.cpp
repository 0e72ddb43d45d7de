// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include <tilewright/core/os.hpp>
#include <tilewright/runtime/checks.hpp>

namespace tw::inline v0 {
namespace {

CheckMode initial_check_mode() {
  return os::environment("TILEWRIGHT_CHECKS") == "device" ? CheckMode::all_on_device
                                                          : CheckMode::automatic;
}

std::atomic<CheckMode>& mode() noexcept {
  static std::atomic<CheckMode> mode{initial_check_mode()};
  return mode;
}
const os::MadeBeforeForks<mode> mode_made;

std::atomic<bool>& verifying() noexcept {
  static std::atomic<bool> verifying{os::environment("TILEWRIGHT_VERIFY_TRACE") == "1"};
  return verifying;
}
const os::MadeBeforeForks<verifying> verifying_made;

}  // namespace

CheckMode check_mode() noexcept { return mode().load(std::memory_order_relaxed); }

void set_check_mode(CheckMode chosen) noexcept { mode().store(chosen, std::memory_order_relaxed); }

bool verify_traces() noexcept { return verifying().load(std::memory_order_relaxed); }

void set_verify_traces(bool verify) noexcept {
  verifying().store(verify, std::memory_order_relaxed);
}

}  // namespace tw::inline v0
