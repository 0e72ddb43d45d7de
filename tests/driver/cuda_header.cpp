// SPDX-License-Identifier: Apache-2.0
// Holds our declarations of the driver against NVIDIA's own: symbols, signatures and layouts.
#include <type_traits>

#include <cuda.h>
#include <gtest/gtest.h>

#include <tilewright/driver/table.hpp>

#include "tests/support/fake_driver.hpp"

namespace tw::driver {
namespace {

/// Whether two parameters travel alike: pointers, or numbers of one size.
template <class Ours, class Theirs>
constexpr bool travel_alike =
    std::is_pointer_v<Ours> == std::is_pointer_v<Theirs> && sizeof(Ours) == sizeof(Theirs);

template <class... Ours, class... Theirs>
constexpr bool fits(Function<Ours...> Table::*, CUresult (*)(Theirs...)) {
  if constexpr (sizeof...(Ours) == sizeof...(Theirs)) {
    return (travel_alike<Ours, Theirs> && ...);
  }
  return false;
}

#define TILEWRIGHT_SYMBOL_TEXT(symbol) #symbol
#define TILEWRIGHT_SYMBOL(function) TILEWRIGHT_SYMBOL_TEXT(function)

/// The fake knows the symbols that the table asks for; the header says which the functions mean.
#define TILEWRIGHT_EXPECT_SAME(row, function)                                         \
  static_assert(fits(&Table::row, static_cast<decltype(&(function))>(nullptr)));      \
  EXPECT_NE(tests::FakeDriver::symbols()->find(TILEWRIGHT_SYMBOL(function)), nullptr) \
      << TILEWRIGHT_SYMBOL(function)

TEST(CudaHeader, SymbolsAndSignaturesAreTheDriversOwn) {
  TILEWRIGHT_EXPECT_SAME(init, cuInit);
  TILEWRIGHT_EXPECT_SAME(driver_get_version, cuDriverGetVersion);
  TILEWRIGHT_EXPECT_SAME(get_error_name, cuGetErrorName);
  TILEWRIGHT_EXPECT_SAME(get_error_string, cuGetErrorString);
  TILEWRIGHT_EXPECT_SAME(device_get_count, cuDeviceGetCount);
  TILEWRIGHT_EXPECT_SAME(device_get, cuDeviceGet);
  TILEWRIGHT_EXPECT_SAME(device_get_name, cuDeviceGetName);
  TILEWRIGHT_EXPECT_SAME(device_get_uuid, cuDeviceGetUuid);
  TILEWRIGHT_EXPECT_SAME(device_total_mem, cuDeviceTotalMem);
  TILEWRIGHT_EXPECT_SAME(device_get_attribute, cuDeviceGetAttribute);
  TILEWRIGHT_EXPECT_SAME(primary_ctx_retain, cuDevicePrimaryCtxRetain);
  TILEWRIGHT_EXPECT_SAME(primary_ctx_release, cuDevicePrimaryCtxRelease);
  TILEWRIGHT_EXPECT_SAME(ctx_push_current, cuCtxPushCurrent);
  TILEWRIGHT_EXPECT_SAME(ctx_pop_current, cuCtxPopCurrent);
  TILEWRIGHT_EXPECT_SAME(ctx_get_current, cuCtxGetCurrent);
  TILEWRIGHT_EXPECT_SAME(ctx_synchronize, cuCtxSynchronize);
  TILEWRIGHT_EXPECT_SAME(mem_get_info, cuMemGetInfo);
  TILEWRIGHT_EXPECT_SAME(mem_alloc, cuMemAlloc);
  TILEWRIGHT_EXPECT_SAME(mem_free, cuMemFree);
  TILEWRIGHT_EXPECT_SAME(mem_alloc_async, cuMemAllocAsync);
  TILEWRIGHT_EXPECT_SAME(mem_free_async, cuMemFreeAsync);
  TILEWRIGHT_EXPECT_SAME(mem_alloc_from_pool_async, cuMemAllocFromPoolAsync);
  TILEWRIGHT_EXPECT_SAME(mem_pool_create, cuMemPoolCreate);
  TILEWRIGHT_EXPECT_SAME(mem_pool_destroy, cuMemPoolDestroy);
  TILEWRIGHT_EXPECT_SAME(mem_pool_trim_to, cuMemPoolTrimTo);
  TILEWRIGHT_EXPECT_SAME(mem_pool_set_attribute, cuMemPoolSetAttribute);
  TILEWRIGHT_EXPECT_SAME(mem_pool_get_attribute, cuMemPoolGetAttribute);
  TILEWRIGHT_EXPECT_SAME(mem_host_alloc, cuMemHostAlloc);
  TILEWRIGHT_EXPECT_SAME(mem_free_host, cuMemFreeHost);
  TILEWRIGHT_EXPECT_SAME(mem_host_get_device_pointer, cuMemHostGetDevicePointer);
  TILEWRIGHT_EXPECT_SAME(pointer_get_attribute, cuPointerGetAttribute);
  TILEWRIGHT_EXPECT_SAME(memcpy_to_device_async, cuMemcpyHtoDAsync);
  TILEWRIGHT_EXPECT_SAME(memcpy_to_host_async, cuMemcpyDtoHAsync);
  TILEWRIGHT_EXPECT_SAME(memcpy_on_device_async, cuMemcpyDtoDAsync);
  TILEWRIGHT_EXPECT_SAME(memset_8_async, cuMemsetD8Async);
  TILEWRIGHT_EXPECT_SAME(memset_16_async, cuMemsetD16Async);
  TILEWRIGHT_EXPECT_SAME(memset_32_async, cuMemsetD32Async);
  TILEWRIGHT_EXPECT_SAME(stream_create, cuStreamCreate);
  TILEWRIGHT_EXPECT_SAME(stream_destroy, cuStreamDestroy);
  TILEWRIGHT_EXPECT_SAME(stream_query, cuStreamQuery);
  TILEWRIGHT_EXPECT_SAME(stream_synchronize, cuStreamSynchronize);
  TILEWRIGHT_EXPECT_SAME(stream_wait_event, cuStreamWaitEvent);
  TILEWRIGHT_EXPECT_SAME(stream_get_ctx, cuStreamGetCtx);
  TILEWRIGHT_EXPECT_SAME(launch_host_func, cuLaunchHostFunc);
  TILEWRIGHT_EXPECT_SAME(event_create, cuEventCreate);
  TILEWRIGHT_EXPECT_SAME(event_destroy, cuEventDestroy);
  TILEWRIGHT_EXPECT_SAME(event_record, cuEventRecord);
  TILEWRIGHT_EXPECT_SAME(event_query, cuEventQuery);
  TILEWRIGHT_EXPECT_SAME(event_synchronize, cuEventSynchronize);
  // Not cuEventElapsedTime: what newer headers mean by it is missing in drivers before 12.8.
  TILEWRIGHT_EXPECT_SAME(module_load_data, cuModuleLoadData);
  TILEWRIGHT_EXPECT_SAME(module_unload, cuModuleUnload);
  TILEWRIGHT_EXPECT_SAME(module_get_function, cuModuleGetFunction);
  TILEWRIGHT_EXPECT_SAME(library_load_data, cuLibraryLoadData);
  TILEWRIGHT_EXPECT_SAME(library_unload, cuLibraryUnload);
  TILEWRIGHT_EXPECT_SAME(library_get_kernel, cuLibraryGetKernel);
  TILEWRIGHT_EXPECT_SAME(kernel_get_function, cuKernelGetFunction);
  TILEWRIGHT_EXPECT_SAME(func_get_attribute, cuFuncGetAttribute);
  TILEWRIGHT_EXPECT_SAME(func_set_attribute, cuFuncSetAttribute);
  TILEWRIGHT_EXPECT_SAME(occupancy_max_active_blocks, cuOccupancyMaxActiveBlocksPerMultiprocessor);
  TILEWRIGHT_EXPECT_SAME(launch_kernel, cuLaunchKernelEx);
}

TEST(CudaHeader, LayoutsAreTheDriversOwn) {
  static_assert(sizeof(LaunchConfig) == sizeof(CUlaunchConfig));
  static_assert(offsetof(LaunchConfig, block) == offsetof(CUlaunchConfig, blockDimX));
  static_assert(offsetof(LaunchConfig, dynamic_shared_bytes) ==
                offsetof(CUlaunchConfig, sharedMemBytes));
  static_assert(offsetof(LaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
  static_assert(offsetof(LaunchConfig, attributes) == offsetof(CUlaunchConfig, attrs));
  static_assert(offsetof(LaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
  static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
  static_assert(offsetof(LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
  static_assert(sizeof(PoolProperties) == sizeof(CUmemPoolProps));
  static_assert(offsetof(PoolProperties, location) == offsetof(CUmemPoolProps, location));
  static_assert(offsetof(PoolProperties, max_bytes) == offsetof(CUmemPoolProps, maxSize));
  static_assert(offsetof(PoolProperties, usage) == offsetof(CUmemPoolProps, usage));
  static_assert(sizeof(Uuid) == sizeof(CUuuid));
}

template <class Ours, class Theirs>
void expect_same_number(Ours ours, Theirs theirs) {
  EXPECT_EQ(static_cast<long>(ours), static_cast<long>(theirs));
}

TEST(CudaHeader, NumbersAreTheDriversOwn) {
  expect_same_number(Result::out_of_memory, CUDA_ERROR_OUT_OF_MEMORY);
  expect_same_number(Result::not_initialized, CUDA_ERROR_NOT_INITIALIZED);
  expect_same_number(Result::no_device, CUDA_ERROR_NO_DEVICE);
  expect_same_number(Result::invalid_device, CUDA_ERROR_INVALID_DEVICE);
  expect_same_number(Result::invalid_image, CUDA_ERROR_INVALID_IMAGE);
  expect_same_number(Result::invalid_context, CUDA_ERROR_INVALID_CONTEXT);
  expect_same_number(Result::no_binary_for_gpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
  expect_same_number(Result::invalid_handle, CUDA_ERROR_INVALID_HANDLE);
  expect_same_number(Result::not_found, CUDA_ERROR_NOT_FOUND);
  expect_same_number(Result::not_ready, CUDA_ERROR_NOT_READY);
  expect_same_number(Result::illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS);
  expect_same_number(Result::launch_out_of_resources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  expect_same_number(Result::launch_failed, CUDA_ERROR_LAUNCH_FAILED);
  expect_same_number(Result::not_supported, CUDA_ERROR_NOT_SUPPORTED);
  expect_same_number(Result::unknown, CUDA_ERROR_UNKNOWN);
  expect_same_number(DeviceAttribute::max_grid_x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  expect_same_number(DeviceAttribute::max_grid_z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  expect_same_number(DeviceAttribute::clock_khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  expect_same_number(DeviceAttribute::multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  expect_same_number(DeviceAttribute::compute_mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE);
  expect_same_number(DeviceAttribute::memory_clock_khz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  expect_same_number(DeviceAttribute::memory_bus_bits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  expect_same_number(DeviceAttribute::l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  expect_same_number(DeviceAttribute::max_threads_per_multiprocessor,
                     CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  expect_same_number(DeviceAttribute::unified_addressing, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
  expect_same_number(DeviceAttribute::compute_capability_major,
                     CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  expect_same_number(DeviceAttribute::compute_capability_minor,
                     CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  expect_same_number(DeviceAttribute::max_shared_bytes_per_block,
                     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  expect_same_number(DeviceAttribute::memory_pools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
  expect_same_number(DeviceAttribute::cluster_launch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
  expect_same_number(FunctionAttribute::max_threads_per_block,
                     CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  expect_same_number(FunctionAttribute::shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  expect_same_number(FunctionAttribute::local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  expect_same_number(FunctionAttribute::registers, CU_FUNC_ATTRIBUTE_NUM_REGS);
  expect_same_number(FunctionAttribute::max_dynamic_shared_bytes,
                     CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  expect_same_number(FunctionAttribute::non_portable_cluster_size_allowed,
                     CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  expect_same_number(PointerAttribute::context, CU_POINTER_ATTRIBUTE_CONTEXT);
  expect_same_number(PointerAttribute::memory_type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
  expect_same_number(PointerAttribute::device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
  expect_same_number(PointerAttribute::range_bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE);
  expect_same_number(PoolAttribute::reuse_follow_event_dependencies,
                     CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES);
  expect_same_number(PoolAttribute::release_threshold, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
  expect_same_number(PoolAttribute::reserved_bytes, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
  expect_same_number(PoolAttribute::used_bytes, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
  expect_same_number(LaunchAttributeId::cluster_dimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  expect_same_number(LaunchAttributeId::programmatic_stream_serialization,
                     CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  expect_same_number(LaunchAttributeId::priority, CU_LAUNCH_ATTRIBUTE_PRIORITY);
  expect_same_number(non_blocking_stream, CU_STREAM_NON_BLOCKING);
  expect_same_number(untimed_event, CU_EVENT_DISABLE_TIMING);
  expect_same_number(portable_host_memory, CU_MEMHOSTALLOC_PORTABLE);
  expect_same_number(mapped_host_memory, CU_MEMHOSTALLOC_DEVICEMAP);
  expect_same_number(AllocationType::pinned, CU_MEM_ALLOCATION_TYPE_PINNED);
  expect_same_number(LocationType::device, CU_MEM_LOCATION_TYPE_DEVICE);
}

}  // namespace
}  // namespace tw::driver
