// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilewright/core/error.hpp>
#include <tilewright/driver/owner.hpp>

#include "tests/support/fake_driver.hpp"
#include "tests/support/log_capture.hpp"

namespace tw::driver {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
using tests::FakeArguments;
using tests::FakeDriver;
using tests::FakeKernel;

/// A kernel without parameters that does nothing.
FakeKernel idle() {
  FakeKernel kernel;
  kernel.accesses = [](const FakeArguments&) { return std::vector<tests::Access>{}; };
  kernel.run = [](const FakeArguments&) {};
  return kernel;
}

/// Uses the driver about forty times and gives the bytes that came through two streams.
std::uint32_t use_everything(const Table& table) {
  const PrimaryContext context(table, 0);
  const Module module = load_module(context, "image");
  const Stream one = make_stream(context);
  const Stream two = make_stream(context);
  const Event ready = make_event(context, untimed_event);
  const MemoryPool pool = make_memory_pool(context, 1 << 20);
  const DeviceMemory memory = allocate(context, 4);
  const PinnedMemory staging = allocate_pinned(context, 4);
  const CurrentContext current(table, context.get());

  FunctionHandle function = nullptr;
  table.module_get_function({}, &function, module.get(), "idle");
  const LaunchConfig config{.stream = one.get()};
  table.memset_32_async({}, memory.get(), 0x01020304, 1, one.get());
  table.launch_kernel({}, &config, function, nullptr, nullptr);
  table.event_record({}, ready.get(), one.get());
  table.stream_wait_event({}, two.get(), ready.get(), 0);
  table.memcpy_to_host_async({}, staging.get(), memory.get(), 4, two.get());
  table.event_record({}, ready.get(), two.get());
  table.event_synchronize({}, ready.get());
  return *static_cast<const std::uint32_t*>(staging.get());
}

TEST(DriverOwner, EverythingIsGivenBack) {
  FakeDriver fake;
  fake.define("idle", idle());
  EXPECT_EQ(use_everything(fake.table()), 0x01020304U);
  EXPECT_THAT(fake.live(), IsEmpty());
  EXPECT_THAT(fake.violations(), IsEmpty());
  EXPECT_GE(fake.calls().size(), 40U);
}

TEST(DriverOwner, AfterEachFailureNothingIsLeftAndTheNextUseWorks) {
  std::size_t count = 0;
  {
    FakeDriver fake;
    fake.define("idle", idle());
    use_everything(fake.table());
    count = fake.calls().size();
  }
  for (std::size_t nth = 0; nth < count; ++nth) {
    FakeDriver fake;
    fake.define("idle", idle());
    const tests::LogCapture log;
    fake.fail_nth(nth, Result::unknown);
    std::string told;
    try {
      use_everything(fake.table());
    } catch (const DeviceError& error) {
      told = error.what();
    }
    for (const std::string& line : log.lines()) told += line;
    const std::string name = fake.calls()[nth];
    EXPECT_THAT(told, HasSubstr(name + " failed: CUDA_ERROR_UNKNOWN (unknown error)"));
    EXPECT_THAT(fake.live(), IsEmpty()) << "after the failure of call " << nth << ", " << name;
    EXPECT_EQ(use_everything(fake.table()), 0x01020304U) << "after the failure of " << name;
    EXPECT_THAT(fake.live(), IsEmpty());
  }
}

TEST(DriverOwner, LiveThingsAreCounted) {
  const FakeDriver fake;
  const PrimaryContext context(fake.table(), 0);
  Stream first = make_stream(context);
  const Stream second = make_stream(context);
  const DeviceMemory memory = allocate(context, 64);
  EXPECT_THAT(fake.live(), UnorderedElementsAre(Pair("context", 1), Pair("stream", 2),
                                                Pair("device memory", 1)));
  first = {};
  EXPECT_THAT(fake.live(), Contains(Pair("stream", 1)));
}

TEST(DriverOwner, MovingHandsOver) {
  const FakeDriver fake;
  PrimaryContext context(fake.table(), 0);
  const PrimaryContext taken = std::move(context);
  Stream stream = make_stream(taken);
  const StreamHandle handle = stream.get();
  const Stream owner = std::move(stream);
  EXPECT_EQ(owner.get(), handle);
  EXPECT_EQ(stream.get(), nullptr);  // NOLINT(bugprone-use-after-move): it is what is tested
  EXPECT_THAT(fake.live(), UnorderedElementsAre(Pair("context", 1), Pair("stream", 1)));
}

TEST(DriverOwner, TheThreadGetsItsContextBack) {
  const FakeDriver fake(std::vector<tests::FakeDevice>(2));
  const PrimaryContext mine(fake.table(), 0);
  const PrimaryContext other(fake.table(), 1);
  const CurrentContext current(fake.table(), mine.get());
  const Stream stream = make_stream(other);
  ContextHandle of_stream = nullptr;
  fake.table().stream_get_ctx({}, stream.get(), &of_stream);
  EXPECT_EQ(of_stream, other.get());
  ContextHandle now = nullptr;
  fake.table().ctx_get_current({}, &now);
  EXPECT_EQ(now, mine.get());
}

TEST(DriverOwner, WithoutAContextNothingIsMade) {
  const FakeDriver fake;
  StreamHandle stream = nullptr;
  EXPECT_EQ(fake.table().stream_create.attempt(&stream, non_blocking_stream),
            Result::invalid_context);
}

}  // namespace
}  // namespace tw::driver
