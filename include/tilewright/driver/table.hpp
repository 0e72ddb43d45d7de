// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tilewright/core/export.hpp>
#include <tilewright/core/location.hpp>
#include <tilewright/driver/types.hpp>

namespace tw::inline v0::driver {

class Table;

/// Where the functions of a driver are found by the names that it exports.
class Symbols {
 public:
  virtual ~Symbols() = default;
  /// The address of a function; null when there is none.
  [[nodiscard]] virtual void* find(const std::string& name) const noexcept = 0;
};

/// One function of the driver.
template <class... Parameters>
class Function {
 public:
  using Address = Result (*)(Parameters...);

  /// Binds the row to the symbol `name` followed by `version`, such as "_v2": a function whose
  /// interface changed keeps the old one under its plain name.
  Function(Table& table, const char* name, const char* version = "");

  /// Calls; throws DeviceError with the names of the call and of its result unless it succeeds.
  void operator()(Location where, Parameters... arguments) const {
    const Result result = address_(arguments...);
    if (result != Result::success) [[unlikely]]
      fail(result, where);
  }

  /// Calls, and leaves it to the caller what a failure means.
  [[nodiscard]] Result attempt(Parameters... arguments) const { return address_(arguments...); }

  /// Throws the DeviceError of a call that came to `result`.
  [[noreturn]] void fail(Result result, Location where) const;

  /// As in CUDA's documentation.
  [[nodiscard]] const char* name() const { return name_; }

 private:
  const Table* table_;
  const char* name_;
  Address address_;
};

/// All functions of the driver that Tilewright uses; a row a function. CUDA's documentation of the
/// function in a row's first string says what it does and takes.
class Table {
  const Symbols* symbols_;  ///< while the rows are bound
  std::vector<std::string> missing_;

 public:
  /// Binds every row; throws DeviceError naming the rows for which there is no symbol.
  TILEWRIGHT_API explicit Table(const Symbols& symbols, Location where = Location::current());
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  using Name = const char*;
  using Size = std::size_t;

  Function<unsigned> init{*this, "cuInit"};
  Function<int*> driver_get_version{*this, "cuDriverGetVersion"};
  Function<Result, Name*> get_error_name{*this, "cuGetErrorName"};
  Function<Result, Name*> get_error_string{*this, "cuGetErrorString"};

  Function<int*> device_get_count{*this, "cuDeviceGetCount"};
  Function<DeviceNumber*, int> device_get{*this, "cuDeviceGet"};
  Function<char*, int, DeviceNumber> device_get_name{*this, "cuDeviceGetName"};
  Function<Uuid*, DeviceNumber> device_get_uuid{*this, "cuDeviceGetUuid", "_v2"};
  Function<Size*, DeviceNumber> device_total_mem{*this, "cuDeviceTotalMem", "_v2"};
  Function<int*, DeviceAttribute, DeviceNumber> device_get_attribute{*this, "cuDeviceGetAttribute"};

  Function<ContextHandle*, DeviceNumber> primary_ctx_retain{*this, "cuDevicePrimaryCtxRetain"};
  Function<DeviceNumber> primary_ctx_release{*this, "cuDevicePrimaryCtxRelease", "_v2"};
  Function<ContextHandle> ctx_push_current{*this, "cuCtxPushCurrent", "_v2"};
  Function<ContextHandle*> ctx_pop_current{*this, "cuCtxPopCurrent", "_v2"};
  Function<ContextHandle*> ctx_get_current{*this, "cuCtxGetCurrent"};
  Function<> ctx_synchronize{*this, "cuCtxSynchronize"};

  Function<Size*, Size*> mem_get_info{*this, "cuMemGetInfo", "_v2"};
  Function<DevicePointer*, Size> mem_alloc{*this, "cuMemAlloc", "_v2"};
  Function<DevicePointer> mem_free{*this, "cuMemFree", "_v2"};
  Function<DevicePointer*, Size, StreamHandle> mem_alloc_async{*this, "cuMemAllocAsync"};
  Function<DevicePointer, StreamHandle> mem_free_async{*this, "cuMemFreeAsync"};
  Function<DevicePointer*, Size, PoolHandle, StreamHandle> mem_alloc_from_pool_async{
      *this, "cuMemAllocFromPoolAsync"};
  Function<PoolHandle*, const PoolProperties*> mem_pool_create{*this, "cuMemPoolCreate"};
  Function<PoolHandle> mem_pool_destroy{*this, "cuMemPoolDestroy"};
  Function<PoolHandle, Size> mem_pool_trim_to{*this, "cuMemPoolTrimTo"};
  Function<PoolHandle, PoolAttribute, void*> mem_pool_set_attribute{*this, "cuMemPoolSetAttribute"};
  Function<PoolHandle, PoolAttribute, void*> mem_pool_get_attribute{*this, "cuMemPoolGetAttribute"};
  Function<void**, Size, unsigned> mem_host_alloc{*this, "cuMemHostAlloc"};
  Function<void*> mem_free_host{*this, "cuMemFreeHost"};
  Function<DevicePointer*, void*, unsigned> mem_host_get_device_pointer{
      *this, "cuMemHostGetDevicePointer", "_v2"};
  Function<void*, PointerAttribute, DevicePointer> pointer_get_attribute{*this,
                                                                         "cuPointerGetAttribute"};

  Function<DevicePointer, const void*, Size, StreamHandle> memcpy_to_device_async{
      *this, "cuMemcpyHtoDAsync", "_v2"};
  Function<void*, DevicePointer, Size, StreamHandle> memcpy_to_host_async{
      *this, "cuMemcpyDtoHAsync", "_v2"};
  Function<DevicePointer, DevicePointer, Size, StreamHandle> memcpy_on_device_async{
      *this, "cuMemcpyDtoDAsync", "_v2"};
  Function<DevicePointer, unsigned char, Size, StreamHandle> memset_8_async{*this,
                                                                            "cuMemsetD8Async"};
  Function<DevicePointer, unsigned short, Size, StreamHandle> memset_16_async{*this,
                                                                              "cuMemsetD16Async"};
  Function<DevicePointer, unsigned, Size, StreamHandle> memset_32_async{*this, "cuMemsetD32Async"};

  Function<StreamHandle*, unsigned> stream_create{*this, "cuStreamCreate"};
  Function<StreamHandle> stream_destroy{*this, "cuStreamDestroy", "_v2"};
  Function<StreamHandle> stream_query{*this, "cuStreamQuery"};
  Function<StreamHandle> stream_synchronize{*this, "cuStreamSynchronize"};
  Function<StreamHandle, EventHandle, unsigned> stream_wait_event{*this, "cuStreamWaitEvent"};
  Function<StreamHandle, ContextHandle*> stream_get_ctx{*this, "cuStreamGetCtx"};
  Function<StreamHandle, HostFunction, void*> launch_host_func{*this, "cuLaunchHostFunc"};

  Function<EventHandle*, unsigned> event_create{*this, "cuEventCreate"};
  Function<EventHandle> event_destroy{*this, "cuEventDestroy", "_v2"};
  Function<EventHandle, StreamHandle> event_record{*this, "cuEventRecord"};
  Function<EventHandle> event_query{*this, "cuEventQuery"};
  Function<EventHandle> event_synchronize{*this, "cuEventSynchronize"};
  Function<float*, EventHandle, EventHandle> event_elapsed_time{*this, "cuEventElapsedTime"};

  Function<ModuleHandle*, const void*> module_load_data{*this, "cuModuleLoadData"};
  Function<ModuleHandle> module_unload{*this, "cuModuleUnload"};
  Function<FunctionHandle*, ModuleHandle, Name> module_get_function{*this, "cuModuleGetFunction"};
  Function<LibraryHandle*, const void*, JitOption*, void**, unsigned, LibraryOption*, void**,
           unsigned>
      library_load_data{*this, "cuLibraryLoadData"};
  Function<LibraryHandle> library_unload{*this, "cuLibraryUnload"};
  Function<KernelHandle*, LibraryHandle, Name> library_get_kernel{*this, "cuLibraryGetKernel"};
  Function<FunctionHandle*, KernelHandle> kernel_get_function{*this, "cuKernelGetFunction"};

  Function<int*, FunctionAttribute, FunctionHandle> func_get_attribute{*this, "cuFuncGetAttribute"};
  Function<FunctionHandle, FunctionAttribute, int> func_set_attribute{*this, "cuFuncSetAttribute"};
  Function<int*, FunctionHandle, int, Size> occupancy_max_active_blocks{
      *this, "cuOccupancyMaxActiveBlocksPerMultiprocessor"};
  Function<const LaunchConfig*, FunctionHandle, void**, void**> launch_kernel{*this,
                                                                              "cuLaunchKernelEx"};

  /// The version of CUDA that the driver was made for: 1000 * major + 10 * minor.
  [[nodiscard]] TILEWRIGHT_API int version(Location where = Location::current()) const;

  /// Throws the DeviceError of the function `name` that came to `result`.
  [[noreturn]] TILEWRIGHT_API void fail(const char* name, Result result, Location where) const;

 private:
  template <class... Parameters>
  friend class Function;

  /// The address of a symbol; one that is missing is noted.
  TILEWRIGHT_API void* bind(const char* name, const char* version);
};

template <class... Parameters>
Function<Parameters...>::Function(Table& table, const char* name, const char* version)
    : table_(&table), name_(name), address_(reinterpret_cast<Address>(table.bind(name, version))) {}

template <class... Parameters>
void Function<Parameters...>::fail(Result result, Location where) const {
  table_->fail(name_, result, where);
}

/// Loads a driver's library and makes it ready (cuInit). Throws DeviceError, saying what to do,
/// when there is no such library, it is too old, or it finds no device. The library stays loaded.
[[nodiscard]] TILEWRIGHT_API std::unique_ptr<const Table> load(
    const std::string& library, Location where = Location::current());

/// The driver of this process, loaded at the first call; throws as load() does, and tries again at
/// the next call.
[[nodiscard]] TILEWRIGHT_API const Table& table(Location where = Location::current());

/// Has table() give this one from now on; null stands for the process's own. Returns what was set
/// before. For tests, with no other thread in the library.
TILEWRIGHT_API const Table* replace_table(const Table* replacement) noexcept;

}  // namespace tw::inline v0::driver
