// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <charconv>
#include <exception>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <tilewright/core/error.hpp>
#include <tilewright/core/os.hpp>
#include <tilewright/runtime/device.hpp>

#include "runtime/cuda/gpu.hpp"

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

/// The number in "gpu:0"; nothing for other texts.
std::optional<int> gpu_number(std::string_view name) noexcept {
  constexpr std::string_view prefix = "gpu:";
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number < 0) return std::nullopt;
  return number;
}

}  // namespace

Device Device::gpu(int index, Location where) {
  const int count = runtime::cuda::count_gpus(where);
  if (index < 0 || index >= count) {
    throw DeviceError(fmt::format("there is no device 'gpu:{}': the driver shows {} GPU{}", index,
                                  count, count == 1 ? "" : "s"),
                      where);
  }
  return Device(DeviceKind::gpu, index);
}

int Device::compute_capability(Location where) const {
  return kind_ == DeviceKind::cpu ? 0 : runtime::cuda::gpu_of(*this, where).target().sm;
}

int gpu_count() noexcept try {
  return runtime::cuda::count_gpus(Location());
} catch (const std::exception&) {
  return 0;
}

std::string Device::name() const {
  return kind_ == DeviceKind::cpu ? "cpu" : fmt::format("gpu:{}", index_);
}

Device device_named(std::string_view name, Location where) {
  if (name == "cpu") return Device::cpu();
  if (const std::optional<int> number = gpu_number(name)) return Device::gpu(*number, where);
  throw DeviceError(
      fmt::format("there is no device '{}': devices are called 'cpu', 'gpu:0', 'gpu:1', ...", name),
      where);
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
