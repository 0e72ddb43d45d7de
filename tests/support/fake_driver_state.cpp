// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_driver_state.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <new>
#include <numeric>
#include <utility>

namespace tw::tests {
namespace {

using namespace driver;  // NOLINT(google-build-using-namespace): it speaks the driver's language

constexpr std::align_val_t alignment{256};
/// What memory holds that nobody has written, and that somebody gave back.
constexpr std::byte fresh{0xcd};
constexpr std::byte gone{0xdd};

struct ResultText {
  Result result;
  const char* name;
  const char* text;
};

constexpr std::array result_texts = {
    ResultText{Result::success, "CUDA_SUCCESS", "no error"},
    ResultText{Result::invalid_value, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    ResultText{Result::out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    ResultText{Result::not_initialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    ResultText{Result::no_device, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    ResultText{Result::invalid_device, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    ResultText{Result::invalid_context, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    ResultText{Result::invalid_handle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    ResultText{Result::not_found, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    ResultText{Result::not_ready, "CUDA_ERROR_NOT_READY", "device not ready"},
    ResultText{Result::launch_failed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    ResultText{Result::unknown, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

const ResultText* text_of(Result result) {
  const auto* found = std::ranges::find(result_texts, result, &ResultText::result);
  return found == result_texts.end() ? nullptr : found;
}

std::byte* pointer(DevicePointer address) { return reinterpret_cast<std::byte*>(address); }

template <class Handle>
std::uintptr_t number(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

/// The contexts that the thread made current, the innermost last.
std::vector<ContextHandle>& current() {
  static thread_local std::vector<ContextHandle> contexts;
  return contexts;
}

/// A device's primary context.
ContextHandle context_of(DeviceNumber device) {
  return reinterpret_cast<ContextHandle>(static_cast<std::uintptr_t>(device) + 1);
}

DeviceNumber device_of(ContextHandle context) {
  return static_cast<DeviceNumber>(number(context) - 1);
}

}  // namespace

FakeDriver::State::~State() {
  timeline.finish(timeline.everything());
  for (auto& [address, allocation] : allocations) operator delete(allocation.begin, alignment);
  current().clear();
}

std::optional<Result> FakeDriver::State::begin_call(const char* name) {
  calls.emplace_back(name);
  std::optional<Result> result;
  std::erase_if(failures, [&](fake::Failure& failure) {
    if (!failure.name.empty() && failure.name != name) return false;
    if (failure.left-- != 0) return false;
    result = failure.result;
    return true;
  });
  return result;
}

Result FakeDriver::State::init(unsigned /*flags*/) {
  if (devices.empty()) return Result::no_device;
  is_ready = true;
  return Result::success;
}

Result FakeDriver::State::driver_get_version(int* version) {
  *version = cuda_version;
  return Result::success;
}

Result FakeDriver::State::get_error_name(Result result, Name* name) {
  const ResultText* text = text_of(result);
  if (text == nullptr) return Result::invalid_value;
  *name = text->name;
  return Result::success;
}

Result FakeDriver::State::get_error_string(Result result, Name* string) {
  const ResultText* text = text_of(result);
  if (text == nullptr) return Result::invalid_value;
  *string = text->text;
  return Result::success;
}

Result FakeDriver::State::device_get_count(int* count) {
  *count = static_cast<int>(devices.size());
  return Result::success;
}

Result FakeDriver::State::device_get(DeviceNumber* device, int ordinal) {
  if (ordinal < 0 || static_cast<Size>(ordinal) >= devices.size()) return Result::invalid_device;
  *device = ordinal;
  return Result::success;
}

Result FakeDriver::State::device_get_name(char* name, int size, DeviceNumber device) {
  const std::string& whole = devices[static_cast<Size>(device)].name;
  name[whole.copy(name, static_cast<Size>(size) - 1)] = '\0';
  return Result::success;
}

Result FakeDriver::State::device_get_uuid(Uuid* uuid, DeviceNumber device) {
  *uuid = {};
  uuid->bytes[15] = static_cast<std::byte>(device);
  return Result::success;
}

Result FakeDriver::State::device_total_mem(Size* bytes, DeviceNumber device) {
  *bytes = devices[static_cast<Size>(device)].memory;
  return Result::success;
}

Result FakeDriver::State::device_get_attribute(int* value, DeviceAttribute attribute,
                                               DeviceNumber device) {
  const auto& attributes = devices[static_cast<Size>(device)].attributes;
  const auto found = attributes.find(attribute);
  *value = found == attributes.end() ? 0 : found->second;
  return Result::success;
}

Result FakeDriver::State::primary_ctx_retain(ContextHandle* context, DeviceNumber device) {
  if (!is_ready) return Result::not_initialized;
  ++contexts[device];
  *context = context_of(device);
  return Result::success;
}

Result FakeDriver::State::primary_ctx_release(DeviceNumber device) {
  const auto found = contexts.find(device);
  if (found == contexts.end()) return Result::invalid_context;
  if (--found->second == 0) contexts.erase(found);
  return Result::success;
}

Result FakeDriver::State::ctx_push_current(ContextHandle context) {
  if (!contexts.contains(device_of(context))) return Result::invalid_context;
  current().push_back(context);
  ++current_contexts;
  return Result::success;
}

Result FakeDriver::State::ctx_pop_current(ContextHandle* context) {
  if (current().empty()) return Result::invalid_context;
  *context = current().back();
  current().pop_back();
  --current_contexts;
  return Result::success;
}

Result FakeDriver::State::ctx_get_current(ContextHandle* context) {
  *context = current().empty() ? nullptr : current().back();
  return Result::success;
}

Result FakeDriver::State::ctx_synchronize() {
  timeline.finish(timeline.everything());
  return Result::success;
}

Result FakeDriver::State::mem_get_info(Size* free, Size* total) {
  *total = devices[static_cast<Size>(device_of(current().back()))].memory;
  *free = *total - reserved();
  return Result::success;
}

std::size_t FakeDriver::State::reserved() const {
  Size bytes = 0;
  for (const auto& [handle, pool] : pools) bytes += pool.reserved;
  for (const auto& [address, allocation] : allocations) {
    if (allocation.is_live && allocation.kind == "device memory") bytes += allocation.bytes;
  }
  return bytes;
}

Result FakeDriver::State::allocate(std::byte** address, Size bytes, const char* kind,
                                   PoolHandle pool) {
  if (bytes == 0) return Result::invalid_value;
  auto* begin = static_cast<std::byte*>(operator new(bytes, alignment));
  std::fill_n(begin, bytes, fresh);
  allocations[number(begin)] = {bytes, begin, kind, pool};
  *address = begin;
  return Result::success;
}

fake::Allocation* FakeDriver::State::find(const void* address, const char* kind) {
  const auto found = allocations.find(number(address));
  const bool is_it =
      found != allocations.end() && found->second.is_live && found->second.kind == kind;
  return is_it ? &found->second : nullptr;
}

const fake::Allocation* FakeDriver::State::around(std::uintptr_t address) const {
  const auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) return nullptr;
  const auto& [begin, allocation] = *std::prev(after);
  return address < begin + allocation.bytes ? &allocation : nullptr;
}

Result FakeDriver::State::mem_alloc(DevicePointer* address, Size bytes) {
  Size free = 0;
  Size total = 0;
  mem_get_info(&free, &total);
  if (bytes > free) return Result::out_of_memory;
  std::byte* begin = nullptr;
  const Result result = allocate(&begin, bytes, "device memory", nullptr);
  *address = number(begin);
  return result;
}

Result FakeDriver::State::mem_free(DevicePointer address) {
  timeline.finish(timeline.everything());  // as the real one does
  const std::scoped_lock lock(mutex);
  fake::Allocation* allocation = find(pointer(address), "device memory");
  if (allocation == nullptr) return Result::invalid_value;
  allocation->is_live = false;
  std::fill_n(allocation->begin, allocation->bytes, gone);
  return Result::success;
}

Result FakeDriver::State::mem_alloc_async(DevicePointer* address, Size bytes, StreamHandle stream) {
  return mem_alloc_from_pool_async(address, bytes, nullptr, stream);
}

Result FakeDriver::State::mem_alloc_from_pool_async(DevicePointer* address, Size bytes,
                                                    PoolHandle pool, StreamHandle stream) {
  if (!streams.contains(stream) || (pool != nullptr && !pools.contains(pool))) {
    return Result::invalid_handle;
  }
  Size free = 0;
  Size total = 0;
  mem_get_info(&free, &total);
  fake::Pool& from = pools[pool];  // the null pool is the device's own
  const Size kept = from.reserved - from.used;
  if (bytes > kept + free) return Result::out_of_memory;
  std::byte* begin = nullptr;
  if (const Result result = allocate(&begin, bytes, "pool memory", pool);
      result != Result::success) {
    return result;
  }
  from.used += bytes;
  from.reserved = std::max(from.reserved, from.used);
  *address = number(begin);
  return enqueue("cuMemAllocAsync", stream, {writes(begin, bytes)}, [] {});
}

Result FakeDriver::State::mem_free_async(DevicePointer address, StreamHandle stream) {
  fake::Allocation* allocation = find(pointer(address), "pool memory");
  if (allocation == nullptr) return Result::invalid_value;
  std::byte* begin = allocation->begin;
  const Size bytes = allocation->bytes;
  const Result result = enqueue("cuMemFreeAsync", stream, {writes(begin, bytes)},
                                [=] { std::fill_n(begin, bytes, gone); });
  if (result != Result::success) return result;
  allocation->is_live = false;
  if (const auto pool = pools.find(allocation->pool); pool != pools.end()) {
    pool->second.used -= bytes;
  }
  return Result::success;
}

Result FakeDriver::State::mem_pool_create(PoolHandle* pool, const PoolProperties* properties) {
  const bool is_known = properties->type == AllocationType::pinned &&
                        properties->location.type == LocationType::device;
  if (!is_known) return Result::invalid_value;
  *pool = new_handle<PoolHandle>();
  pools[*pool] = {};
  return Result::success;
}

Result FakeDriver::State::mem_pool_destroy(PoolHandle pool) {
  return pools.erase(pool) == 1 ? Result::success : Result::invalid_handle;
}

Result FakeDriver::State::mem_pool_trim_to(PoolHandle pool, Size bytes) {
  const auto found = pools.find(pool);
  if (found == pools.end()) return Result::invalid_handle;
  fake::Pool& trimmed = found->second;
  trimmed.reserved = std::max(trimmed.used, std::min(trimmed.reserved, bytes));
  return Result::success;
}

Result FakeDriver::State::mem_pool_set_attribute(PoolHandle pool, PoolAttribute attribute,
                                                 void* value) {
  const auto found = pools.find(pool);
  if (found == pools.end()) return Result::invalid_handle;
  const bool is_wide = attribute == PoolAttribute::release_threshold;
  found->second.attributes[attribute] = is_wide
                                            ? *static_cast<std::uint64_t*>(value)
                                            : static_cast<std::uint64_t>(*static_cast<int*>(value));
  return Result::success;
}

Result FakeDriver::State::mem_pool_get_attribute(PoolHandle pool, PoolAttribute attribute,
                                                 void* value) {
  const auto found = pools.find(pool);
  if (found == pools.end()) return Result::invalid_handle;
  fake::Pool& asked = found->second;
  asked.attributes[PoolAttribute::used_bytes] = asked.used;
  asked.attributes[PoolAttribute::reserved_bytes] = asked.reserved;
  const std::uint64_t known = asked.attributes[attribute];
  if (attribute >= PoolAttribute::release_threshold) {
    *static_cast<std::uint64_t*>(value) = known;
  } else {
    *static_cast<int*>(value) = static_cast<int>(known);
  }
  return Result::success;
}

Result FakeDriver::State::mem_host_alloc(void** address, Size bytes, unsigned /*flags*/) {
  std::byte* begin = nullptr;
  const Result result = allocate(&begin, bytes, "pinned memory", nullptr);
  *address = begin;
  return result;
}

Result FakeDriver::State::mem_free_host(void* address) {
  fake::Allocation* allocation = find(address, "pinned memory");
  if (allocation == nullptr) return Result::invalid_value;
  timeline.touch("cuMemFreeHost", writes(address, allocation->bytes));
  allocation->is_live = false;
  return Result::success;
}

Result FakeDriver::State::mem_host_get_device_pointer(DevicePointer* device, void* host,
                                                      unsigned /*flags*/) {
  if (find(host, "pinned memory") == nullptr) return Result::invalid_value;
  *device = number(host);
  return Result::success;
}

Result FakeDriver::State::pointer_get_attribute(void* value, PointerAttribute attribute,
                                                DevicePointer address) {
  const fake::Allocation* allocation = around(address);
  if (allocation == nullptr || !allocation->is_live) return Result::invalid_value;
  constexpr int host = 1;
  constexpr int device = 2;
  switch (attribute) {
    case PointerAttribute::memory_type:
      *static_cast<int*>(value) = allocation->kind == "pinned memory" ? host : device;
      return Result::success;
    case PointerAttribute::range_bytes:
      *static_cast<Size*>(value) = allocation->bytes;
      return Result::success;
    case PointerAttribute::context:
    case PointerAttribute::device:
      return Result::not_supported;
  }
  return Result::invalid_value;
}

bool FakeDriver::State::are_live(const char* who, const std::vector<Access>& accesses) {
  const auto is_live = [&](const Access& access) {
    const fake::Allocation* allocation = around(access.begin);
    if (allocation == nullptr) return true;
    const std::uintptr_t end = number(allocation->begin) + allocation->bytes;
    return allocation->is_live && access.begin + access.bytes <= end;
  };
  if (std::ranges::all_of(accesses, is_live)) return true;
  misuse.push_back(std::string(who) + " uses memory that is not allocated");
  return false;
}

Result FakeDriver::State::enqueue(const char* what, StreamHandle stream,
                                  std::vector<Access> accesses, std::function<void()> run) {
  const auto found = streams.find(stream);
  if (found == streams.end()) return Result::invalid_handle;
  if (!are_live(what, accesses)) return Result::invalid_value;
  timeline.append(found->second.number, what, std::move(accesses), std::move(run));
  return Result::success;
}

Result FakeDriver::State::memcpy_to_device_async(DevicePointer to, const void* from, Size bytes,
                                                 StreamHandle stream) {
  return enqueue("cuMemcpyHtoDAsync", stream, {writes(pointer(to), bytes), reads(from, bytes)},
                 [=] { std::memcpy(pointer(to), from, bytes); });
}

Result FakeDriver::State::memcpy_to_host_async(void* to, DevicePointer from, Size bytes,
                                               StreamHandle stream) {
  return enqueue("cuMemcpyDtoHAsync", stream, {writes(to, bytes), reads(pointer(from), bytes)},
                 [=] { std::memcpy(to, pointer(from), bytes); });
}

Result FakeDriver::State::memcpy_on_device_async(DevicePointer to, DevicePointer from, Size bytes,
                                                 StreamHandle stream) {
  return enqueue("cuMemcpyDtoDAsync", stream,
                 {writes(pointer(to), bytes), reads(pointer(from), bytes)},
                 [=] { std::memcpy(pointer(to), pointer(from), bytes); });
}

Result FakeDriver::State::memset_8_async(DevicePointer to, unsigned char value, Size count,
                                         StreamHandle stream) {
  return enqueue("cuMemsetD8Async", stream, {writes(pointer(to), count)},
                 [=] { std::fill_n(pointer(to), count, std::byte{value}); });
}

Result FakeDriver::State::memset_16_async(DevicePointer to, unsigned short value, Size count,
                                          StreamHandle stream) {
  return enqueue("cuMemsetD16Async", stream, {writes(pointer(to), count * sizeof(value))},
                 [=] { std::fill_n(reinterpret_cast<unsigned short*>(to), count, value); });
}

Result FakeDriver::State::memset_32_async(DevicePointer to, unsigned value, Size count,
                                          StreamHandle stream) {
  return enqueue("cuMemsetD32Async", stream, {writes(pointer(to), count * sizeof(value))},
                 [=] { std::fill_n(reinterpret_cast<unsigned*>(to), count, value); });
}

Result FakeDriver::State::stream_create(StreamHandle* stream, unsigned flags) {
  if (flags != non_blocking_stream) return Result::not_supported;
  *stream = new_handle<StreamHandle>();
  streams[*stream] = {timeline.add_stream(), current().back()};
  return Result::success;
}

Result FakeDriver::State::stream_destroy(StreamHandle stream) {
  return streams.erase(stream) == 1 ? Result::success : Result::invalid_handle;
}

std::optional<Timeline::Point> FakeDriver::State::point_of(StreamHandle stream) const {
  const std::scoped_lock lock(mutex);
  const auto found = streams.find(stream);
  if (found == streams.end()) return std::nullopt;
  return timeline.record(found->second.number);
}

std::optional<Timeline::Point> FakeDriver::State::point_of(EventHandle event) const {
  const std::scoped_lock lock(mutex);
  const auto found = events.find(event);
  if (found == events.end()) return std::nullopt;
  return found->second;
}

Result FakeDriver::State::stream_query(StreamHandle stream) {
  const auto point = point_of(stream);
  if (!point) return Result::invalid_handle;
  return timeline.advance(*point) ? Result::success : Result::not_ready;
}

Result FakeDriver::State::stream_synchronize(StreamHandle stream) {
  const auto point = point_of(stream);
  if (!point) return Result::invalid_handle;
  timeline.finish(*point);
  return Result::success;
}

Result FakeDriver::State::stream_wait_event(StreamHandle stream, EventHandle event,
                                            unsigned /*flags*/) {
  const auto waiting = streams.find(stream);
  const auto awaited = events.find(event);
  if (waiting == streams.end() || awaited == events.end()) return Result::invalid_handle;
  timeline.wait(waiting->second.number, awaited->second);
  return Result::success;
}

Result FakeDriver::State::stream_get_ctx(StreamHandle stream, ContextHandle* context) {
  const auto found = streams.find(stream);
  if (found == streams.end()) return Result::invalid_handle;
  *context = found->second.context;
  return Result::success;
}

Result FakeDriver::State::launch_host_func(StreamHandle stream, HostFunction function, void* data) {
  return enqueue("cuLaunchHostFunc", stream, {}, [=] { function(data); });
}

Result FakeDriver::State::event_create(EventHandle* event, unsigned /*flags*/) {
  *event = new_handle<EventHandle>();
  events[*event] = {};
  return Result::success;
}

Result FakeDriver::State::event_destroy(EventHandle event) {
  return events.erase(event) == 1 ? Result::success : Result::invalid_handle;
}

Result FakeDriver::State::event_record(EventHandle event, StreamHandle stream) {
  const auto recorded = streams.find(stream);
  const auto found = events.find(event);
  if (recorded == streams.end() || found == events.end()) return Result::invalid_handle;
  found->second = timeline.record(recorded->second.number);
  return Result::success;
}

Result FakeDriver::State::event_query(EventHandle event) {
  const auto point = point_of(event);
  if (!point) return Result::invalid_handle;
  return timeline.advance(*point) ? Result::success : Result::not_ready;
}

Result FakeDriver::State::event_synchronize(EventHandle event) {
  const auto point = point_of(event);
  if (!point) return Result::invalid_handle;
  timeline.finish(*point);
  return Result::success;
}

Result FakeDriver::State::event_elapsed_time(float* milliseconds, EventHandle begin,
                                             EventHandle end) {
  const auto from = events.find(begin);
  const auto to = events.find(end);
  if (from == events.end() || to == events.end()) return Result::invalid_handle;
  if (!timeline.is_past(from->second) || !timeline.is_past(to->second)) return Result::not_ready;
  // Each piece of work that the events are after takes a microsecond.
  const auto pieces = [](const Timeline::Point& point) {
    return static_cast<float>(std::accumulate(point.begin(), point.end(), Size{0}));
  };
  *milliseconds = (pieces(to->second) - pieces(from->second)) / 1000;
  return Result::success;
}

template <class Handle>
Result FakeDriver::State::load(Handle* handle, const void* image, const char* kind) {
  if (image == nullptr) return Result::invalid_image;
  *handle = new_handle<Handle>();
  code[number(*handle)] = {kind, {}};
  return Result::success;
}

Result FakeDriver::State::unload(std::uintptr_t handle) {
  const auto found = code.find(handle);
  if (found == code.end()) return Result::invalid_handle;
  const auto is_over = [&](const Timeline::Point& launch) { return timeline.is_past(launch); };
  if (!std::ranges::all_of(found->second.launches, is_over)) {
    misuse.push_back("a " + found->second.kind + " is unloaded while its kernels run");
  }
  code.erase(found);
  return Result::success;
}

template <class Handle>
Result FakeDriver::State::find_entry(Handle* entry, std::uintptr_t in, Name name) {
  const auto kernel = kernels.find(name);
  if (!code.contains(in)) return Result::invalid_handle;
  if (kernel == kernels.end()) return Result::not_found;
  *entry = new_handle<Handle>();
  entries[number(*entry)] = {in, &kernel->second};
  return Result::success;
}

const FakeKernel* FakeDriver::State::kernel_of(FunctionHandle function) const {
  const auto entry = entries.find(number(function));
  const bool is_loaded = entry != entries.end() && code.contains(entry->second.code);
  return is_loaded ? entry->second.kernel : nullptr;
}

Result FakeDriver::State::module_load_data(ModuleHandle* module, const void* image) {
  return load(module, image, "module");
}

Result FakeDriver::State::module_unload(ModuleHandle module) { return unload(number(module)); }

Result FakeDriver::State::module_get_function(FunctionHandle* function, ModuleHandle module,
                                              Name name) {
  return find_entry(function, number(module), name);
}

Result FakeDriver::State::library_load_data(LibraryHandle* library, const void* image,
                                            JitOption* /*options*/, void** /*values*/,
                                            unsigned /*count*/, LibraryOption* /*library_options*/,
                                            void** /*library_values*/, unsigned /*library_count*/) {
  return load(library, image, "library");
}

Result FakeDriver::State::library_unload(LibraryHandle library) { return unload(number(library)); }

Result FakeDriver::State::library_get_kernel(KernelHandle* kernel, LibraryHandle library,
                                             Name name) {
  return find_entry(kernel, number(library), name);
}

Result FakeDriver::State::kernel_get_function(FunctionHandle* function, KernelHandle kernel) {
  if (!entries.contains(number(kernel))) return Result::invalid_handle;
  *function = reinterpret_cast<FunctionHandle>(kernel);
  return Result::success;
}

Result FakeDriver::State::func_get_attribute(int* value, FunctionAttribute attribute,
                                             FunctionHandle function) {
  const FakeKernel* kernel = kernel_of(function);
  if (kernel == nullptr) return Result::invalid_handle;
  const auto found = kernel->attributes.find(attribute);
  *value = found == kernel->attributes.end() ? 0 : found->second;
  return Result::success;
}

Result FakeDriver::State::func_set_attribute(FunctionHandle function,
                                             FunctionAttribute /*attribute*/, int /*value*/) {
  return kernel_of(function) == nullptr ? Result::invalid_handle : Result::success;
}

Result FakeDriver::State::occupancy_max_active_blocks(int* blocks, FunctionHandle function,
                                                      int /*threads*/, Size /*shared*/) {
  const FakeKernel* kernel = kernel_of(function);
  if (kernel == nullptr) return Result::invalid_handle;
  *blocks = kernel->blocks_per_multiprocessor;
  return Result::success;
}

Result FakeDriver::State::launch_kernel(const LaunchConfig* config, FunctionHandle function,
                                        void** parameters, void** extra) {
  const FakeKernel* kernel = kernel_of(function);
  if (kernel == nullptr) return Result::invalid_handle;
  if (extra != nullptr) return Result::invalid_value;
  std::vector<std::vector<std::byte>> values;
  for (const Size bytes : kernel->parameter_bytes) {
    const auto* begin = static_cast<const std::byte*>(*parameters++);
    values.emplace_back(begin, begin + bytes);
  }
  FakeArguments arguments(config->grid, std::move(values));
  std::vector<Access> accesses = kernel->accesses(arguments);
  const Result result =
      enqueue("cuLaunchKernelEx", config->stream, std::move(accesses),
              [kernel, arguments = std::move(arguments)] { kernel->run(arguments); });
  if (result != Result::success) return result;
  const Timeline::StreamNumber stream = streams.at(config->stream).number;
  code.at(entries.at(number(function)).code).launches.push_back(timeline.record(stream));
  return Result::success;
}

}  // namespace tw::tests
