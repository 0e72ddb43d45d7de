// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/fake_driver.hpp"
#include "tests/support/timeline.hpp"

namespace tw::tests {

namespace fake {

using namespace driver;  // NOLINT(google-build-using-namespace): it speaks the driver's language

struct Allocation {
  std::size_t bytes = 0;
  std::byte* begin = nullptr;
  std::string kind;
  PoolHandle pool = nullptr;
  bool is_live = true;
};

struct Stream {
  Timeline::StreamNumber number = 0;
  ContextHandle context = nullptr;
};

struct Pool {
  std::size_t used = 0;
  std::size_t reserved = 0;
  std::map<PoolAttribute, std::uint64_t> attributes;
};

/// A module or library.
struct Code {
  std::string kind;
  std::vector<Timeline::Point> launches;
};

/// A kernel in a module or library.
struct Entry {
  std::uintptr_t code = 0;
  const FakeKernel* kernel = nullptr;
};

struct Failure {
  std::string name;  ///< empty: any call
  std::size_t left = 0;
  Result result = Result::success;
};

}  // namespace fake

/// The functions of the fake driver, each with the signature of its row in the table. They run
/// under the lock, but for those that wait for work.
struct FakeDriver::State {
  using ContextHandle = driver::ContextHandle;
  using DeviceNumber = driver::DeviceNumber;
  using DevicePointer = driver::DevicePointer;
  using EventHandle = driver::EventHandle;
  using FunctionHandle = driver::FunctionHandle;
  using KernelHandle = driver::KernelHandle;
  using LibraryHandle = driver::LibraryHandle;
  using ModuleHandle = driver::ModuleHandle;
  using Name = const char*;
  using PoolHandle = driver::PoolHandle;
  using Result = driver::Result;
  using Size = std::size_t;
  using StreamHandle = driver::StreamHandle;

  State(std::vector<FakeDevice> fake_devices, int version)
      : devices(std::move(fake_devices)), cuda_version(version) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  Result init(unsigned flags);
  Result driver_get_version(int* version);
  Result get_error_name(Result result, Name* name);
  Result get_error_string(Result result, Name* text);

  Result device_get_count(int* count);
  Result device_get(DeviceNumber* device, int ordinal);
  Result device_get_name(char* name, int size, DeviceNumber device);
  Result device_get_uuid(driver::Uuid* uuid, DeviceNumber device);
  Result device_total_mem(Size* bytes, DeviceNumber device);
  Result device_get_attribute(int* value, driver::DeviceAttribute attribute, DeviceNumber device);

  Result primary_ctx_retain(ContextHandle* context, DeviceNumber device);
  Result primary_ctx_release(DeviceNumber device);
  Result ctx_push_current(ContextHandle context);
  Result ctx_pop_current(ContextHandle* context);
  Result ctx_get_current(ContextHandle* context);
  Result ctx_synchronize();

  Result mem_get_info(Size* free, Size* total);
  Result mem_alloc(DevicePointer* address, Size bytes);
  Result mem_free(DevicePointer address);
  Result mem_alloc_async(DevicePointer* address, Size bytes, StreamHandle stream);
  Result mem_free_async(DevicePointer address, StreamHandle stream);
  Result mem_alloc_from_pool_async(DevicePointer* address, Size bytes, PoolHandle pool,
                                   StreamHandle stream);
  Result mem_pool_create(PoolHandle* pool, const driver::PoolProperties* properties);
  Result mem_pool_destroy(PoolHandle pool);
  Result mem_pool_trim_to(PoolHandle pool, Size bytes);
  Result mem_pool_set_attribute(PoolHandle pool, driver::PoolAttribute attribute, void* value);
  Result mem_pool_get_attribute(PoolHandle pool, driver::PoolAttribute attribute, void* value);
  Result mem_host_alloc(void** address, Size bytes, unsigned flags);
  Result mem_free_host(void* address);
  Result mem_host_get_device_pointer(DevicePointer* device, void* host, unsigned flags);
  Result pointer_get_attribute(void* value, driver::PointerAttribute attribute,
                               DevicePointer address);

  Result memcpy_to_device_async(DevicePointer to, const void* from, Size bytes,
                                StreamHandle stream);
  Result memcpy_to_host_async(void* to, DevicePointer from, Size bytes, StreamHandle stream);
  Result memcpy_on_device_async(DevicePointer to, DevicePointer from, Size bytes,
                                StreamHandle stream);
  Result memset_8_async(DevicePointer to, unsigned char value, Size count, StreamHandle stream);
  Result memset_16_async(DevicePointer to, unsigned short value, Size count, StreamHandle stream);
  Result memset_32_async(DevicePointer to, unsigned value, Size count, StreamHandle stream);

  Result stream_create(StreamHandle* stream, unsigned flags);
  Result stream_destroy(StreamHandle stream);
  Result stream_query(StreamHandle stream);
  Result stream_synchronize(StreamHandle stream);
  Result stream_wait_event(StreamHandle stream, EventHandle event, unsigned flags);
  Result stream_get_ctx(StreamHandle stream, ContextHandle* context);
  Result launch_host_func(StreamHandle stream, driver::HostFunction function, void* data);

  Result event_create(EventHandle* event, unsigned flags);
  Result event_destroy(EventHandle event);
  Result event_record(EventHandle event, StreamHandle stream);
  Result event_query(EventHandle event);
  Result event_synchronize(EventHandle event);
  Result event_elapsed_time(float* milliseconds, EventHandle begin, EventHandle end);

  Result module_load_data(ModuleHandle* module, const void* image);
  Result module_unload(ModuleHandle module);
  Result module_get_function(FunctionHandle* function, ModuleHandle module, Name name);
  Result library_load_data(LibraryHandle* library, const void* image, driver::JitOption* options,
                           void** values, unsigned count, driver::LibraryOption* library_options,
                           void** library_values, unsigned library_count);
  Result library_unload(LibraryHandle library);
  Result library_get_kernel(KernelHandle* kernel, LibraryHandle library, Name name);
  Result kernel_get_function(FunctionHandle* function, KernelHandle kernel);

  Result func_get_attribute(int* value, driver::FunctionAttribute attribute,
                            FunctionHandle function);
  Result func_set_attribute(FunctionHandle function, driver::FunctionAttribute attribute,
                            int value);
  Result occupancy_max_active_blocks(int* blocks, FunctionHandle function, int threads,
                                     Size shared);
  Result launch_kernel(const driver::LaunchConfig* config, FunctionHandle function,
                       void** parameters, void** extra);

  /// Notes a call; its result if it is to fail.
  std::optional<Result> begin_call(const char* name);

  template <class Handle>
  Handle new_handle() {
    return reinterpret_cast<Handle>(++last_handle);
  }

  mutable std::mutex mutex;
  std::vector<FakeDevice> devices;
  int cuda_version;
  bool is_ready = false;
  Timeline timeline;
  std::uintptr_t last_handle = 0x1000;

  std::map<DeviceNumber, std::size_t> contexts;  ///< how often each was retained
  std::size_t current_contexts = 0;
  std::map<StreamHandle, fake::Stream> streams;
  std::map<EventHandle, Timeline::Point> events;
  std::map<PoolHandle, fake::Pool> pools;
  std::map<std::uintptr_t, fake::Allocation> allocations;  ///< also those given back
  std::map<std::uintptr_t, fake::Code> code;
  std::map<std::uintptr_t, fake::Entry> entries;
  std::map<std::string, FakeKernel> kernels;

  std::vector<std::string> calls;
  std::vector<fake::Failure> failures;
  std::vector<std::string> misuse;

 private:
  Result allocate(std::byte** address, Size bytes, const char* kind, PoolHandle pool);
  /// The allocation that starts at an address, as long as it is live and of this kind.
  fake::Allocation* find(const void* address, const char* kind);
  /// The allocation, live or not, that an address lies in; null for other memory of the host.
  const fake::Allocation* around(std::uintptr_t address) const;
  /// Notes and refuses accesses outside of live allocations.
  bool are_live(const char* who, const std::vector<Access>& accesses);
  Result enqueue(const char* what, StreamHandle stream, std::vector<Access> accesses,
                 std::function<void()> run);
  Size reserved() const;
  template <class Handle>
  Result load(Handle* handle, const void* image, const char* kind);
  Result unload(std::uintptr_t handle);
  template <class Handle>
  Result find_entry(Handle* entry, std::uintptr_t in, Name name);
  const FakeKernel* kernel_of(FunctionHandle function) const;
  std::optional<Timeline::Point> point_of(EventHandle event) const;
  std::optional<Timeline::Point> point_of(StreamHandle stream) const;
};

}  // namespace tw::tests
