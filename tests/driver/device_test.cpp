// SPDX-License-Identifier: Apache-2.0
// The real driver of this machine, where it has one.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/driver/owner.hpp>

namespace tw::driver {
namespace {

/// Adds `what` to `count` words at `to`. The driver takes PTX where it takes a cubin.
constexpr const char* add_words = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 to, .param .u32 count, .param .u32 what) {
  .reg .pred %p;
  .reg .b32 %r<7>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [count];
  ld.param.u32 %r2, [what];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r3, %r3, %r4, %r5;
  setp.ge.u32 %p, %r3, %r1;
  @%p bra DONE;
  cvta.to.global.u64 %rd1, %rd1;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r6, [%rd3];
  add.u32 %r6, %r6, %r2;
  st.global.u32 [%rd3], %r6;
DONE:
  ret;
}
)";

/// Whether a driver did not load because the machine has neither one nor a device for it.
bool is_absent(const DeviceError& error) {
  const bool is_missing = testing::Value(
      error.what(), testing::AnyOf(testing::HasSubstr("(libcuda.so.1: cannot open shared object"),
                                   testing::HasSubstr("cuInit failed: CUDA_ERROR_NO_DEVICE")));
  return is_missing && !std::filesystem::exists("/dev/nvidiactl");
}

class RealDevice : public testing::Test {
 protected:
  void SetUp() override {
    try {
      table_ = &driver::table();
    } catch (const DeviceError& error) {
      if (!is_absent(error)) throw;
      GTEST_SKIP() << error.what();
    }
  }
  [[nodiscard]] const Table& table() const { return *table_; }
  [[nodiscard]] int attribute(DeviceAttribute which) const {
    int value = 0;
    table().device_get_attribute({}, &value, which, 0);
    return value;
  }

 private:
  const Table* table_ = nullptr;
};

TEST_F(RealDevice, SaysWhatItIs) {
  EXPECT_GE(table().version(), 12000);
  const PrimaryContext context(table(), 0);
  const CurrentContext current(table(), context.get());
  std::size_t free = 0;
  std::size_t all = 0;
  std::size_t total = 0;
  table().mem_get_info({}, &free, &all);
  table().device_total_mem({}, &total, 0);
  EXPECT_EQ(all, total);
  EXPECT_LE(free, all);
  EXPECT_GE(attribute(DeviceAttribute::compute_capability_major), 8);
  EXPECT_EQ(attribute(DeviceAttribute::memory_pools), 1);
  EXPECT_EQ(attribute(DeviceAttribute::unified_addressing), 1);
  // The largest grid of every device since compute capability 3.0, by CUDA's programming guide.
  EXPECT_EQ(attribute(DeviceAttribute::max_grid_x), 0x7fffffff);
  EXPECT_EQ(attribute(DeviceAttribute::max_grid_y), 0xffff);
}

/// Fills, adds and copies back over two streams that meet by an event, many times: a copy that
/// came too early would bring the fill or the sum before.
TEST_F(RealDevice, WorkFollowsStreamsAndEvents) {
  constexpr std::uint32_t count = 1 << 20;
  constexpr std::uint32_t block = 256;
  constexpr std::size_t bytes = count * sizeof(std::uint32_t);
  const PrimaryContext context(table(), 0);
  const Module module = load_module(context, add_words);
  const Stream one = make_stream(context);
  const Stream two = make_stream(context);
  const Event written = make_event(context, untimed_event);
  const Event copied = make_event(context, untimed_event);
  const MemoryPool pool = make_memory_pool(context, bytes);
  const PinnedMemory staging = allocate_pinned(context, bytes);
  const CurrentContext current(table(), context.get());
  FunctionHandle add = nullptr;
  table().module_get_function({}, &add, module.get(), "add");

  for (std::uint32_t round = 0; round < 50; ++round) {
    DevicePointer memory = 0;
    std::uint32_t number = count;
    std::uint32_t what = 3 + round;
    void* arguments[] = {&memory, &number, &what};
    const LaunchConfig config{
        .grid = {.x = count / block}, .block = {.x = block}, .stream = one.get()};
    table().mem_alloc_from_pool_async({}, &memory, bytes, pool.get(), one.get());
    table().memset_32_async({}, memory, 1000, count, one.get());
    table().launch_kernel({}, &config, add, arguments, nullptr);
    table().launch_kernel({}, &config, add, arguments, nullptr);
    table().event_record({}, written.get(), one.get());
    table().stream_wait_event({}, two.get(), written.get(), 0);
    table().memcpy_to_host_async({}, staging.get(), memory, bytes, two.get());
    table().mem_free_async({}, memory, two.get());
    table().event_record({}, copied.get(), two.get());
    table().event_synchronize({}, copied.get());
    const std::span words(static_cast<const std::uint32_t*>(staging.get()), count);
    ASSERT_THAT(words, testing::Each(1000 + 2 * what)) << "in round " << round;
  }
}

TEST_F(RealDevice, TellsWhatFailed) {
  const PrimaryContext context(table(), 0);
  const CurrentContext current(table(), context.get());
  const auto message_of = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const DeviceError& error) {
      return error.what();
    }
    return "nothing failed";
  };
  DevicePointer memory = 0;
  EXPECT_THAT(message_of([&] { table().mem_alloc({}, &memory, std::size_t{1} << 60); }),
              testing::HasSubstr("cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY"));
  const Module module = load_module(context, add_words);
  FunctionHandle function = nullptr;
  EXPECT_THAT(
      message_of([&] { table().module_get_function({}, &function, module.get(), "subtract"); }),
      testing::HasSubstr("cuModuleGetFunction failed: CUDA_ERROR_NOT_FOUND"));
  EXPECT_THAT(message_of([&] { static_cast<void>(load_module(context, "no code")); }),
              testing::HasSubstr("cuModuleLoadData failed: CUDA_ERROR_"));
  // None of that harms the context.
  table().ctx_synchronize({});
}

}  // namespace
}  // namespace tw::driver
