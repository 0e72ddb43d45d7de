// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_driver.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/driver/owner.hpp>

namespace tw::driver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using tests::Access;
using tests::FakeArguments;
using tests::FakeDriver;
using tests::FakeKernel;

/// z[i] = x[i] + 1 for `count` numbers.
FakeKernel add_one() {
  const auto bytes = [](const FakeArguments& a) {
    return static_cast<std::size_t>(a.at<std::int32_t>(2)) * sizeof(int);
  };
  FakeKernel kernel;
  kernel.parameter_bytes = {8, 8, 4};
  kernel.accesses = [bytes](const FakeArguments& a) {
    return std::vector<Access>{tests::writes(a.pointer<int>(0), bytes(a)),
                               tests::reads(a.pointer<int>(1), bytes(a))};
  };
  kernel.run = [](const FakeArguments& a) {
    for (int i = 0; i < a.at<std::int32_t>(2); ++i) a.pointer<int>(0)[i] = a.pointer<int>(1)[i] + 1;
  };
  return kernel;
}

class FakeDriverTest : public testing::Test {
 protected:
  FakeDriverTest() { fake.define("add_one", add_one()); }

  void upload(DevicePointer to, const std::array<int, 4>& from, const Stream& stream) {
    table.memcpy_to_device_async({}, to, from.data(), sizeof from, stream.get());
  }
  void download(std::array<int, 4>& to, DevicePointer from, const Stream& stream) {
    table.memcpy_to_host_async({}, to.data(), from, sizeof to, stream.get());
  }
  void launch_add_one(DevicePointer out, DevicePointer in, const Stream& stream) {
    FunctionHandle function = nullptr;
    table.module_get_function({}, &function, module.get(), "add_one");
    std::int32_t count = 4;
    std::array<void*, 3> parameters = {&out, &in, &count};
    const LaunchConfig config{.stream = stream.get()};
    table.launch_kernel({}, &config, function, parameters.data(), nullptr);
  }

  FakeDriver fake;
  const Table& table = fake.table();
  PrimaryContext context{table, 0};
  CurrentContext current{table, context.get()};
  Module module = load_module(context, "image");
  Stream one = make_stream(context);
  Stream two = make_stream(context);
  Event event = make_event(context, untimed_event);
  DeviceMemory x = allocate(context, 16);
  DeviceMemory z = allocate(context, 16);
  const std::array<int, 4> source = {1, 2, 3, 4};
  std::array<int, 4> result = {};
};

TEST_F(FakeDriverTest, WorkOfAStreamHappensInOrder) {
  upload(x.get(), source, one);
  launch_add_one(z.get(), x.get(), one);
  launch_add_one(z.get(), z.get(), one);
  download(result, z.get(), one);
  table.stream_synchronize({}, one.get());
  EXPECT_THAT(result, ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(fake.violations(), IsEmpty());
}

TEST_F(FakeDriverTest, NothingHappensBeforeTheHostWaits) {
  upload(x.get(), source, one);
  download(result, x.get(), one);
  EXPECT_THAT(result, ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(table.stream_query.attempt(one.get()), Result::not_ready);
  EXPECT_EQ(table.stream_query.attempt(one.get()), Result::not_ready);
  EXPECT_EQ(table.stream_query.attempt(one.get()), Result::success);
  EXPECT_THAT(result, ElementsAre(1, 2, 3, 4));
}

TEST_F(FakeDriverTest, EventOrdersStreams) {
  upload(x.get(), source, one);
  table.event_record({}, event.get(), one.get());
  table.stream_wait_event({}, two.get(), event.get(), 0);
  download(result, x.get(), two);
  table.stream_synchronize({}, two.get());
  EXPECT_THAT(result, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(fake.violations(), IsEmpty());
}

TEST_F(FakeDriverTest, MissingWaitIsFoundAndReadsOldBytes) {
  upload(x.get(), source, one);
  table.event_record({}, event.get(), one.get());
  download(result, x.get(), two);
  table.stream_synchronize({}, two.get());
  int fresh = 0;
  std::memset(&fresh, 0xcd, sizeof fresh);
  EXPECT_THAT(result, ElementsAre(fresh, fresh, fresh, fresh));
  EXPECT_THAT(fake.violations(),
              ElementsAre("cuMemcpyDtoHAsync is not ordered after cuMemcpyHtoDAsync"));
}

TEST_F(FakeDriverTest, EventHoldsWhatWasThereWhenItWasRecorded) {
  table.event_record({}, event.get(), one.get());
  upload(x.get(), source, one);
  table.stream_wait_event({}, two.get(), event.get(), 0);
  launch_add_one(z.get(), x.get(), two);
  EXPECT_THAT(fake.violations(),
              ElementsAre("cuLaunchKernelEx is not ordered after cuMemcpyHtoDAsync"));
}

TEST_F(FakeDriverTest, OrderIsTransitiveOverStreamsAndTheHost) {
  const Stream three = make_stream(context);
  const Event second = make_event(context, untimed_event);
  upload(x.get(), source, one);
  table.event_record({}, event.get(), one.get());
  table.stream_wait_event({}, two.get(), event.get(), 0);
  launch_add_one(z.get(), x.get(), two);
  table.event_record({}, second.get(), two.get());
  table.event_synchronize({}, second.get());
  table.memset_32_async({}, x.get(), 7, 4, three.get());
  download(result, z.get(), three);
  table.stream_synchronize({}, three.get());
  EXPECT_THAT(result, ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(fake.violations(), IsEmpty());
}

TEST_F(FakeDriverTest, ReadersNeedNoOrderAmongThemselves) {
  upload(x.get(), source, one);
  table.stream_synchronize({}, one.get());
  launch_add_one(z.get(), x.get(), one);
  download(result, x.get(), two);
  EXPECT_THAT(fake.violations(), IsEmpty());
}

TEST_F(FakeDriverTest, FreeBesideAUseIsARace) {
  DevicePointer scratch = 0;
  table.mem_alloc_async({}, &scratch, 16, one.get());
  upload(scratch, source, one);
  table.mem_free_async({}, scratch, two.get());
  EXPECT_THAT(fake.violations(),
              UnorderedElementsAre("cuMemFreeAsync is not ordered after cuMemAllocAsync",
                                   "cuMemFreeAsync is not ordered after cuMemcpyHtoDAsync"));
}

TEST_F(FakeDriverTest, UseAfterFreeAndBeyondTheEndAreRefused) {
  DevicePointer scratch = 0;
  table.mem_alloc_async({}, &scratch, 16, one.get());
  EXPECT_EQ(table.memset_8_async.attempt(scratch + 8, 0, 9, one.get()), Result::invalid_value);
  table.mem_free_async({}, scratch, one.get());
  EXPECT_EQ(table.memset_8_async.attempt(scratch, 0, 16, one.get()), Result::invalid_value);
  EXPECT_THAT(fake.violations(), ElementsAre("cuMemsetD8Async uses memory that is not allocated",
                                             "cuMemsetD8Async uses memory that is not allocated"));
}

TEST_F(FakeDriverTest, PinnedMemoryInFlightMustStay) {
  {
    const PinnedMemory staging = allocate_pinned(context, 16);
    std::memcpy(staging.get(), source.data(), sizeof source);
    table.memcpy_to_device_async({}, x.get(), staging.get(), 16, one.get());
  }
  EXPECT_THAT(fake.violations(),
              ElementsAre("cuMemFreeHost is not ordered after cuMemcpyHtoDAsync"));
}

TEST_F(FakeDriverTest, HostMustWaitBeforeItReads) {
  download(result, x.get(), one);
  fake.timeline().touch("the host", tests::reads(result.data(), sizeof result));
  table.stream_synchronize({}, one.get());
  fake.timeline().touch("the host again", tests::reads(result.data(), sizeof result));
  EXPECT_THAT(fake.violations(), ElementsAre("the host is not ordered after cuMemcpyDtoHAsync"));
}

TEST_F(FakeDriverTest, ModuleMustStayWhileItsKernelsRun) {
  launch_add_one(z.get(), x.get(), one);
  module = {};
  EXPECT_THAT(fake.violations(), ElementsAre("a module is unloaded while its kernels run"));
}

TEST_F(FakeDriverTest, HostFunctionsComeInTheirTurn) {
  std::string order;
  const auto note = [](void* text) { *static_cast<std::string*>(text) += "called"; };
  table.launch_host_func({}, one.get(), note, &order);
  EXPECT_EQ(order, "");
  table.stream_synchronize({}, one.get());
  EXPECT_EQ(order, "called");
}

TEST_F(FakeDriverTest, MemoryIsBounded) {
  DevicePointer large = 0;
  std::size_t free = 0;
  std::size_t total = 0;
  table.mem_get_info({}, &free, &total);
  EXPECT_EQ(total - free, 32U);
  EXPECT_EQ(table.mem_alloc.attempt(&large, free + 1), Result::out_of_memory);
}

TEST_F(FakeDriverTest, PoolKeepsWhatIsFreedUntilItIsTrimmed) {
  const MemoryPool pool = make_memory_pool(context, UINT64_MAX);
  DevicePointer memory = 0;
  std::uint64_t reserved = 0;
  table.mem_alloc_from_pool_async({}, &memory, 4096, pool.get(), one.get());
  table.mem_free_async({}, memory, one.get());
  table.mem_pool_get_attribute({}, pool.get(), PoolAttribute::reserved_bytes, &reserved);
  EXPECT_EQ(reserved, 4096U);
  table.mem_pool_trim_to({}, pool.get(), 0);
  table.mem_pool_get_attribute({}, pool.get(), PoolAttribute::reserved_bytes, &reserved);
  EXPECT_EQ(reserved, 0U);
}

TEST_F(FakeDriverTest, ThreadsMayQueueAndWaitAtOnce) {
  std::vector<std::thread> threads;
  std::array<std::array<int, 4>, 4> results = {};
  for (std::array<int, 4>& mine : results) {
    threads.emplace_back([&] {
      const CurrentContext own(table, context.get());
      const Stream stream = make_stream(context);
      DevicePointer memory = 0;
      table.mem_alloc_async({}, &memory, 16, stream.get());
      upload(memory, source, stream);
      for (int i = 0; i < 8; ++i) launch_add_one(memory, memory, stream);
      download(mine, memory, stream);
      table.mem_free_async({}, memory, stream.get());
      table.stream_synchronize({}, stream.get());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::array<int, 4>& mine : results) EXPECT_THAT(mine, ElementsAre(9, 10, 11, 12));
  EXPECT_THAT(fake.violations(), IsEmpty());
}

}  // namespace
}  // namespace tw::driver
