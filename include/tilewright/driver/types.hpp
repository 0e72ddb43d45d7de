// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <tilewright/core/export.hpp>

/// What passes between Tilewright and libcuda: the part of CUDA's driver interface that is used,
/// declared anew so that nothing of CUDA is needed to build. Values and layouts are CUDA's.
namespace tw::inline v0::driver {

/// What a call came to. The driver knows more results than are named here; its own name for each
/// is in the message of the error.
enum class Result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_failed = 719,
  not_supported = 801,
  unknown = 999,
};

/// The number of a device; counted from zero among those that the process may see.
using DeviceNumber = int;
/// An address on a device.
using DevicePointer = std::uint64_t;

using ContextHandle = struct ContextObject*;
using StreamHandle = struct StreamObject*;
using EventHandle = struct EventObject*;
using ModuleHandle = struct ModuleObject*;
using LibraryHandle = struct LibraryObject*;
using KernelHandle = struct KernelObject*;
using FunctionHandle = struct FunctionObject*;
using PoolHandle = struct PoolObject*;

/// Called by the driver when all earlier work of a stream is done; must not call the driver.
using HostFunction = void (*)(void* data);

struct Uuid {
  std::byte bytes[16];
};

enum class DeviceAttribute : int {
  max_grid_x = 5,
  max_grid_y = 6,
  max_grid_z = 7,
  clock_khz = 13,
  multiprocessors = 16,
  compute_mode = 20,
  memory_clock_khz = 36,
  memory_bus_bits = 37,
  l2_bytes = 38,
  max_threads_per_multiprocessor = 39,
  unified_addressing = 41,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  max_shared_bytes_per_block = 97,  ///< with leave of the function, see FunctionAttribute
  memory_pools = 115,
  cluster_launch = 120,
};

enum class FunctionAttribute : int {
  max_threads_per_block = 0,
  shared_bytes = 1,
  local_bytes = 3,
  registers = 4,
  max_dynamic_shared_bytes = 8,
  non_portable_cluster_size_allowed = 14,
};

enum class PointerAttribute : int {
  context = 1,
  memory_type = 2,
  device = 9,
  range_bytes = 12,
};

enum class PoolAttribute : int {
  reuse_follow_event_dependencies = 1,
  reuse_allow_opportunistic = 2,
  reuse_allow_internal_dependencies = 3,
  release_threshold = 4,  ///< u64: bytes that the pool keeps when a stream is synchronised
  reserved_bytes = 5,     ///< u64
  used_bytes = 7,         ///< u64
};

/// What stream_create takes: Tilewright's streams never wait for the legacy stream.
inline constexpr unsigned non_blocking_stream = 1;
/// What event_create takes.
inline constexpr unsigned timed_event = 0;
inline constexpr unsigned untimed_event = 2;
/// What mem_host_alloc takes: memory that all contexts see as pinned, and devices may address.
inline constexpr unsigned portable_host_memory = 1;
inline constexpr unsigned mapped_host_memory = 2;

enum class AllocationType : int { pinned = 1 };
enum class LocationType : int { device = 1 };

struct MemoryLocation {
  LocationType type = LocationType::device;
  int id = 0;
};

struct PoolProperties {
  AllocationType type = AllocationType::pinned;
  int handle_types = 0;
  MemoryLocation location;
  void* security_attributes = nullptr;
  std::size_t max_bytes = 0;  ///< 0: as much as there is
  std::uint16_t usage = 0;
  std::byte reserved[54] = {};
};
static_assert(sizeof(PoolProperties) == 88);

enum class LaunchAttributeId : int {
  cluster_dimension = 4,
  programmatic_stream_serialization = 6,
  priority = 8,
};

struct Extent3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

/// One option of a launch; `id` says which of the values is meant.
struct LaunchAttribute {
  LaunchAttributeId id;
  std::uint32_t padding = 0;
  union Value {
    std::byte bytes[64] = {};
    Extent3 cluster;
    int number;
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfig {
  Extent3 grid;
  Extent3 block;
  unsigned dynamic_shared_bytes = 0;
  StreamHandle stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};
static_assert(sizeof(LaunchConfig) == 56 && offsetof(LaunchConfig, stream) == 32);

/// Options of the driver's own compiler and of libraries. None is used: code comes ready-made.
enum class JitOption : int;
enum class LibraryOption : int;

}  // namespace tw::inline v0::driver
