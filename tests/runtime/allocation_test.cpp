// SPDX-License-Identifier: Apache-2.0
// The sanitizers bring an operator new of their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif
#if !defined(SANITIZED)

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include <tilewright/runtime/create.hpp>
#include <tilewright/runtime/storage.hpp>
#include <tilewright/runtime/submit.hpp>

#include "tests/runtime/gate.hpp"
#include "tests/runtime/launch_kernels.hpp"

namespace {

std::atomic<long long> allocations{0};
thread_local long long until_refusal = -1;  ///< allocations; negative: none is refused

void* counted(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (until_refusal >= 0 && until_refusal-- == 0) throw std::bad_alloc();
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Of the whole test binary; aligned allocations, which storages are made of, are not replaced.
void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using tw::Device;
using tw::Location;
using tw::Stream;
using tw::runtime::Access;
using tw::runtime::Lease;
using tw::runtime::RunOn;
using tw::runtime::Storage;
using tw::runtime::Use;

template <class Work>
long long allocations_during(Work&& work) {
  const long long before = allocations.load();
  work();
  return allocations.load() - before;
}

/// A command of the largest size that needs no allocation, with leases as launches have them.
struct Large {
  Lease a, b;
  std::array<std::byte, tw::runtime::Command::inline_bytes - 2 * sizeof(Lease)> arguments;
  void operator()() const noexcept {}
};
static_assert(sizeof(Large) == tw::runtime::Command::inline_bytes);

TEST(Allocation, EnqueuingASmallCommandAllocatesNothing) {
  const auto a = Storage::allocate(Device::cpu(), 64, Location::current());
  const auto b = Storage::allocate(Device::cpu(), 64, Location::current());
  const Use uses[] = {{a.get(), Access::write}, {b.get(), Access::read}};
  Stream first, second;
  const auto enqueue_some = [&](RunOn run_on) {
    for (int i = 0; i < 1000; ++i) {
      const Stream& stream = i % 2 == 0 ? first : second;  // each waits for the other
      tw::runtime::submit(stream, uses, Large{Lease(a), Lease(b), {}}, run_on, Location::current());
    }
    first.sync();
    second.sync();
  };
  enqueue_some(RunOn::worker);  // starts the threads
  EXPECT_EQ(allocations_during([&] { enqueue_some(RunOn::worker); }), 0);
  EXPECT_EQ(allocations_during([&] { enqueue_some(RunOn::caller_if_idle); }), 0);
}

// A command that follows more streams than a wait list holds in place, when there is no memory.
TEST(Allocation, ACommandThatIsNotEnqueuedIsInNoLedger) {
  const auto written = Storage::allocate(Device::cpu(), 64, Location::current());
  const auto read = Storage::allocate(Device::cpu(), 64, Location::current());
  const Use reads[] = {{written.get(), Access::read}};
  const Use reads_other[] = {{read.get(), Access::read}};
  std::array<Stream, 8> readers;
  std::array<tw::testing::Gate, 8> gates;
  for (std::size_t i = 0; i < 4; ++i) gates[i].close(readers[i], reads);
  for (std::size_t i = 4; i < 8; ++i) gates[i].close(readers[i], reads_other);

  const Use uses[] = {{written.get(), Access::write}, {read.get(), Access::write}};
  Stream stream;
  until_refusal = 0;
  EXPECT_THROW(
      tw::runtime::submit(stream, uses, [] {}, RunOn::worker, Location::current()), std::bad_alloc);
  EXPECT_EQ(written->ledger().last_write(), tw::runtime::Mark());

  // What was read is still known to be.
  std::atomic<bool> done = false;
  const auto event = tw::testing::enqueue(stream, [&] { done = true; }, std::span(uses).first(1));
  for (std::size_t i = 4; i < 8; ++i) gates[i].open();
  for (std::size_t i = 4; i < 8; ++i) readers[i].sync();
  EXPECT_FALSE(event.done());
  for (std::size_t i = 0; i < 4; ++i) gates[i].open();
  event.wait();
  EXPECT_TRUE(done);
}

void count_up(tw::InOut<int, tw::dyn> y) { y.store(y.load() + 1); }

// Wherever the memory of a first launch runs out, it can be tried again.
TEST(Allocation, ALaunchThatFindsNoMemoryChangesNothing) {
  auto y = tw::zeroed<int>(Device::cpu(), 4);
  Stream stream;
  bool enqueued = false;
  for (long long allowed = 0; !enqueued; ++allowed) {
    ASSERT_EQ(tw::to_host(y), std::vector<int>(4, 0));
    until_refusal = allowed;
    try {
      tw::launch<count_up>(tw::mut(y).partition({4})).on(stream);
      enqueued = true;
    } catch (const std::bad_alloc&) {
    }
    until_refusal = -1;
  }
  EXPECT_EQ(tw::to_host(y), std::vector<int>(4, 1));
}

TEST(Allocation, EventsAllocateNothing) {
  Stream first, second;
  first.wait(second.record());
  tw::testing::enqueue(first, [] {});
  tw::testing::enqueue(second, [] {});
  second.sync();  // starts the workers
  EXPECT_EQ(allocations_during([&] {
              for (int i = 0; i < 1000; ++i) {
                second.wait(tw::testing::enqueue(first, [] {}));
                first.wait(second.record());
              }
              second.sync();
            }),
            0);
}

TEST(Allocation, ALaunchLikeOneBeforeAllocatesNothing) {
  const auto x = tw::tests::counting<float>(64);
  auto z = tw::empty<float>(Device::cpu(), 64);
  Stream stream;
  const auto launch_some = [&] {
    for (int i = 0; i < 1000; ++i) {
      const int cut = i % 2 == 0 ? 64 : 16;
      tw::launch<tw::tests::add<float>>(tw::mut(z).partition({cut}), x, x).on(stream);
    }
    stream.sync();
  };
  launch_some();
  EXPECT_EQ(allocations_during(launch_some), 0);
}

TEST(Allocation, MemoryOfDroppedTensorsIsUsedAgain) {
  const auto address = [] {
    const auto t = tw::empty<float>(1 << 20);
    return tw::detail::memory_of(*tw::runtime::TensorAccess::state(t, Location::current()).storage);
  };
  EXPECT_EQ(address(), address());
  EXPECT_EQ(allocations_during([&] { (void)address(); }), 0);
}

}  // namespace

#endif
