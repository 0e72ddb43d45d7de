// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>

namespace tw::inline v0 {

enum class DeviceKind : std::uint8_t { cpu, gpu };

/// Where tensors live and kernels run: a small value, equal for equal devices.
class Device {
 public:
  /// The processors of this machine, as one device.
  [[nodiscard]] static constexpr Device cpu() noexcept { return Device(DeviceKind::cpu, 0); }

  /// An NVIDIA GPU, by its number among those that the driver shows this process. Throws
  /// DeviceError when there is no driver or no such GPU.
  [[nodiscard]] TILEWRIGHT_API static Device gpu(int index, Location where = Location::current());

  [[nodiscard]] constexpr DeviceKind kind() const noexcept { return kind_; }
  /// The number among devices of its kind.
  [[nodiscard]] constexpr int index() const noexcept { return index_; }
  /// "cpu", or "gpu:0".
  [[nodiscard]] TILEWRIGHT_API std::string name() const;
  /// The compute capability of a GPU, such as 90 for sm_90; 0 for the CPU. Throws DeviceError when
  /// the GPU cannot be used.
  [[nodiscard]] TILEWRIGHT_API int compute_capability(Location where = Location::current()) const;

  friend constexpr bool operator==(Device, Device) noexcept = default;

 private:
  constexpr Device(DeviceKind kind, std::int32_t index) noexcept : kind_(kind), index_(index) {}

  DeviceKind kind_;
  std::int32_t index_;
};

/// How many GPUs this process may use: 0 without a driver.
[[nodiscard]] TILEWRIGHT_API int gpu_count() noexcept;

/// The device with this name. Throws DeviceError when there is none.
[[nodiscard]] TILEWRIGHT_API Device device_named(std::string_view name,
                                                 Location where = Location::current());

/// Where tensors are placed when nothing else is said: what `set_default_device` chose, else what
/// the environment variable TILEWRIGHT_DEVICE names, else the CPU. Throws DeviceError when the
/// variable names no device.
[[nodiscard]] TILEWRIGHT_API Device default_device(Location where = Location::current());

/// Chooses the default device of the process.
TILEWRIGHT_API void set_default_device(Device device) noexcept;

}  // namespace tw::inline v0
