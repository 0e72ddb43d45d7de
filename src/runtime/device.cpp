// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/runtime/device.hpp>

namespace tw::inline v0 {
namespace {

constexpr const char* variable = "TILEWRIGHT_DEVICE";

/// The device that `set_default_device` chose; the CPU stands in before.
std::atomic<Device> chosen{Device::cpu()};
std::atomic<bool> was_chosen{false};

Device device_of_environment(Location where) {
  const std::optional<std::string> name = os::environment(variable);
  if (!name) return Device::cpu();
  try {
    return device_named(*name, where);
  } catch (const DeviceError& error) {
    throw DeviceError(fmt::format("{} (from the environment variable {})",
                                  error.diagnostics().front().message, variable),
                      where);
  }
}

}  // namespace

std::string Device::name() const {
  return kind_ == DeviceKind::cpu ? "cpu" : fmt::format("gpu:{}", index_);
}

Device device_named(std::string_view name, Location where) {
  if (name == "cpu") return Device::cpu();
  throw DeviceError(fmt::format("there is no device '{}': the devices are 'cpu'", name), where);
}

Device default_device(Location where) {
  if (was_chosen.load(std::memory_order_acquire)) return chosen.load(std::memory_order_relaxed);
  const Device device = device_of_environment(where);
  set_default_device(device);
  return device;
}

void set_default_device(Device device) noexcept {
  chosen.store(device, std::memory_order_relaxed);
  was_chosen.store(true, std::memory_order_release);
}

}  // namespace tw::inline v0
