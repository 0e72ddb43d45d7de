// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_driver.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "tests/support/fake_driver_state.hpp"

namespace tw::tests {
namespace {

using driver::Result;
using driver::Table;
using State = FakeDriver::State;

/// The one that stands in for libcuda: functions of C have no other way to it.
State* active = nullptr;

/// How the fake treats a function.
struct Manner {
  bool anywhere = false;    ///< it needs no current context
  bool waits = false;       ///< it may wait for work, and locks for itself
  bool gives_back = false;  ///< it does its work also when it refuses
};

struct Row {
  const char* name;
  const char* version;
  void* address;
};

/// The function of C behind a row of the table.
template <auto row, auto method>
struct Export;

template <class... Parameters, driver::Function<Parameters...> Table::* row,
          Result (State::*method)(Parameters...)>
struct Export<row, method> {
  static inline const char* name = nullptr;
  static inline Manner manner;

  static Result call(Parameters... arguments) {
    State& state = *active;
    std::unique_lock lock(state.mutex);
    std::optional<Result> refusal = state.begin_call(name);
    driver::ContextHandle current = nullptr;
    state.ctx_get_current(&current);
    if (!refusal && !manner.anywhere && current == nullptr) refusal = Result::invalid_context;
    if (refusal && !manner.gives_back) return *refusal;
    if (manner.waits) lock.unlock();
    const Result result = (state.*method)(arguments...);
    return refusal.value_or(result);
  }
};

template <auto row, auto method>
Row make_row(const char* name, const char* version = "", Manner manner = {}) {
  using Function = Export<row, method>;
  Function::name = name;
  Function::manner = manner;
  return {name, version, reinterpret_cast<void*>(&Function::call)};
}

#define TILEWRIGHT_FAKE(function, ...) make_row<&Table::function, &State::function>(__VA_ARGS__)

const std::vector<Row>& rows() {
  constexpr Manner anywhere{.anywhere = true};
  constexpr Manner waits{.waits = true};
  constexpr Manner gives_back{.gives_back = true};
  static const std::vector<Row> all = {
      TILEWRIGHT_FAKE(init, "cuInit", "", anywhere),
      TILEWRIGHT_FAKE(driver_get_version, "cuDriverGetVersion", "", anywhere),
      TILEWRIGHT_FAKE(get_error_name, "cuGetErrorName", "", anywhere),
      TILEWRIGHT_FAKE(get_error_string, "cuGetErrorString", "", anywhere),
      TILEWRIGHT_FAKE(device_get_count, "cuDeviceGetCount", "", anywhere),
      TILEWRIGHT_FAKE(device_get, "cuDeviceGet", "", anywhere),
      TILEWRIGHT_FAKE(device_get_name, "cuDeviceGetName", "", anywhere),
      TILEWRIGHT_FAKE(device_get_uuid, "cuDeviceGetUuid", "_v2", anywhere),
      TILEWRIGHT_FAKE(device_total_mem, "cuDeviceTotalMem", "_v2", anywhere),
      TILEWRIGHT_FAKE(device_get_attribute, "cuDeviceGetAttribute", "", anywhere),
      TILEWRIGHT_FAKE(primary_ctx_retain, "cuDevicePrimaryCtxRetain", "", anywhere),
      TILEWRIGHT_FAKE(primary_ctx_release, "cuDevicePrimaryCtxRelease", "_v2",
                      {.anywhere = true, .gives_back = true}),
      TILEWRIGHT_FAKE(ctx_push_current, "cuCtxPushCurrent", "_v2", anywhere),
      TILEWRIGHT_FAKE(ctx_pop_current, "cuCtxPopCurrent", "_v2", gives_back),
      TILEWRIGHT_FAKE(ctx_get_current, "cuCtxGetCurrent", "", anywhere),
      TILEWRIGHT_FAKE(ctx_synchronize, "cuCtxSynchronize", "", waits),
      TILEWRIGHT_FAKE(mem_get_info, "cuMemGetInfo", "_v2"),
      TILEWRIGHT_FAKE(mem_alloc, "cuMemAlloc", "_v2"),
      TILEWRIGHT_FAKE(mem_free, "cuMemFree", "_v2", {.waits = true, .gives_back = true}),
      TILEWRIGHT_FAKE(mem_alloc_async, "cuMemAllocAsync"),
      TILEWRIGHT_FAKE(mem_free_async, "cuMemFreeAsync", "", gives_back),
      TILEWRIGHT_FAKE(mem_alloc_from_pool_async, "cuMemAllocFromPoolAsync"),
      TILEWRIGHT_FAKE(mem_pool_create, "cuMemPoolCreate"),
      TILEWRIGHT_FAKE(mem_pool_destroy, "cuMemPoolDestroy", "", gives_back),
      TILEWRIGHT_FAKE(mem_pool_trim_to, "cuMemPoolTrimTo"),
      TILEWRIGHT_FAKE(mem_pool_set_attribute, "cuMemPoolSetAttribute"),
      TILEWRIGHT_FAKE(mem_pool_get_attribute, "cuMemPoolGetAttribute"),
      TILEWRIGHT_FAKE(mem_host_alloc, "cuMemHostAlloc"),
      TILEWRIGHT_FAKE(mem_free_host, "cuMemFreeHost", "", gives_back),
      TILEWRIGHT_FAKE(mem_host_get_device_pointer, "cuMemHostGetDevicePointer", "_v2"),
      TILEWRIGHT_FAKE(pointer_get_attribute, "cuPointerGetAttribute"),
      TILEWRIGHT_FAKE(memcpy_to_device_async, "cuMemcpyHtoDAsync", "_v2"),
      TILEWRIGHT_FAKE(memcpy_to_host_async, "cuMemcpyDtoHAsync", "_v2"),
      TILEWRIGHT_FAKE(memcpy_on_device_async, "cuMemcpyDtoDAsync", "_v2"),
      TILEWRIGHT_FAKE(memset_8_async, "cuMemsetD8Async"),
      TILEWRIGHT_FAKE(memset_16_async, "cuMemsetD16Async"),
      TILEWRIGHT_FAKE(memset_32_async, "cuMemsetD32Async"),
      TILEWRIGHT_FAKE(stream_create, "cuStreamCreate"),
      TILEWRIGHT_FAKE(stream_destroy, "cuStreamDestroy", "_v2", gives_back),
      TILEWRIGHT_FAKE(stream_query, "cuStreamQuery", "", waits),
      TILEWRIGHT_FAKE(stream_synchronize, "cuStreamSynchronize", "", waits),
      TILEWRIGHT_FAKE(stream_wait_event, "cuStreamWaitEvent"),
      TILEWRIGHT_FAKE(stream_get_ctx, "cuStreamGetCtx"),
      TILEWRIGHT_FAKE(launch_host_func, "cuLaunchHostFunc"),
      TILEWRIGHT_FAKE(event_create, "cuEventCreate"),
      TILEWRIGHT_FAKE(event_destroy, "cuEventDestroy", "_v2", gives_back),
      TILEWRIGHT_FAKE(event_record, "cuEventRecord"),
      TILEWRIGHT_FAKE(event_query, "cuEventQuery", "", waits),
      TILEWRIGHT_FAKE(event_synchronize, "cuEventSynchronize", "", waits),
      TILEWRIGHT_FAKE(event_elapsed_time, "cuEventElapsedTime"),
      TILEWRIGHT_FAKE(module_load_data, "cuModuleLoadData"),
      TILEWRIGHT_FAKE(module_unload, "cuModuleUnload", "", gives_back),
      TILEWRIGHT_FAKE(module_get_function, "cuModuleGetFunction"),
      TILEWRIGHT_FAKE(library_load_data, "cuLibraryLoadData"),
      TILEWRIGHT_FAKE(library_unload, "cuLibraryUnload", "", gives_back),
      TILEWRIGHT_FAKE(library_get_kernel, "cuLibraryGetKernel"),
      TILEWRIGHT_FAKE(kernel_get_function, "cuKernelGetFunction"),
      TILEWRIGHT_FAKE(func_get_attribute, "cuFuncGetAttribute"),
      TILEWRIGHT_FAKE(func_set_attribute, "cuFuncSetAttribute"),
      TILEWRIGHT_FAKE(occupancy_max_active_blocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor"),
      TILEWRIGHT_FAKE(launch_kernel, "cuLaunchKernelEx"),
  };
  return all;
}

#undef TILEWRIGHT_FAKE

class FakeSymbols final : public driver::Symbols {
 public:
  explicit FakeSymbols(std::vector<std::string> without) : without_(std::move(without)) {}

  [[nodiscard]] void* find(const std::string& name) const noexcept override {
    for (const Row& row : rows()) {
      if (std::string(row.name) + row.version != name) continue;
      const bool is_left_out = std::ranges::count(without_, row.name) != 0;
      return is_left_out ? nullptr : row.address;
    }
    return nullptr;
  }

 private:
  std::vector<std::string> without_;
};

}  // namespace

FakeDriver::FakeDriver(std::vector<FakeDevice> devices, int cuda_version)
    : state_(std::make_unique<State>(std::move(devices), cuda_version)) {
  if (active != nullptr) throw std::logic_error("there is a fake driver already");
  active = state_.get();
  table_ = std::make_unique<Table>(*symbols());
  if (!state_->devices.empty()) state_->init(0);
  before_ = driver::replace_table(table_.get());
}

FakeDriver::~FakeDriver() {
  driver::replace_table(before_);
  active = nullptr;
}

const Table& FakeDriver::table() const { return *table_; }

std::unique_ptr<driver::Symbols> FakeDriver::symbols(std::vector<std::string> without) {
  return std::make_unique<FakeSymbols>(std::move(without));
}

void FakeDriver::define(std::string name, FakeKernel kernel) {
  const std::scoped_lock lock(state_->mutex);
  state_->kernels.insert_or_assign(std::move(name), std::move(kernel));
}

void FakeDriver::fail_nth(std::size_t nth, Result result) { fail("", result, nth); }

void FakeDriver::fail(const std::string& name, Result result, std::size_t nth) {
  const std::scoped_lock lock(state_->mutex);
  state_->failures.push_back({name, nth, result});
}

std::vector<std::string> FakeDriver::calls() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->calls;
}

std::map<std::string, std::size_t> FakeDriver::live() const {
  const std::scoped_lock lock(state_->mutex);
  std::map<std::string, std::size_t> counts;
  for (const auto& [device, retained] : state_->contexts) counts["context"] += retained;
  for (const auto& [handle, code] : state_->code) ++counts[code.kind];
  for (const auto& [address, allocation] : state_->allocations) {
    if (allocation.is_live) ++counts[allocation.kind];
  }
  counts["current context"] = state_->current_contexts;
  counts["stream"] = state_->streams.size();
  counts["event"] = state_->events.size();
  counts["pool"] = state_->pools.size() - state_->pools.count(nullptr);
  std::erase_if(counts, [](const auto& count) { return count.second == 0; });
  return counts;
}

std::vector<std::string> FakeDriver::violations() const {
  const std::scoped_lock lock(state_->mutex);
  std::vector<std::string> all = state_->timeline.races();
  all.insert(all.end(), state_->misuse.begin(), state_->misuse.end());
  return all;
}

Timeline& FakeDriver::timeline() { return state_->timeline; }

}  // namespace tw::tests
